//! Enums whose members are words of the machine output. The word stands beside the member, so that none can
//! be written and not be read again.

/// An enum of words.
pub trait Words: Copy + 'static {
    /// Every member, in order.
    const EVERY: &'static [Self];

    /// The word of the machine output.
    fn as_word(self) -> &'static str;

    /// The member of a word.
    fn from_word(word: &str) -> Option<Self> {
        Self::EVERY.iter().copied().find(|member| member.as_word() == word)
    }
}

/// Declares enums of words: `Member = "word",`. Each has `ALL` and `word()`.
macro_rules! words {
    ($($(#[$meta:meta])* $vis:vis enum $name:ident { $($(#[$member_meta:meta])* $member:ident = $word:literal,)* })*) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        $vis enum $name { $($(#[$member_meta])* $member),* }

        impl $name {
            /// Every member, in order.
            pub const ALL: [Self; [$($word),*].len()] = [$(Self::$member),*];

            /// The word of the machine output.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$member => $word),* }
            }
        }

        impl $crate::model::Words for $name {
            const EVERY: &'static [Self] = &Self::ALL;

            fn as_word(self) -> &'static str {
                self.word()
            }
        }
    )*};
}
pub(crate) use words;
