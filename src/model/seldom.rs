//! What few things have.

use std::ops::{Deref, DerefMut};

/// What few have: absent it takes no room, and reads as what is empty.
#[derive(Debug, Clone, Default)]
pub struct Seldom<T>(Option<Box<T>>);

/// What may be absent.
pub trait Absent: Default + PartialEq + 'static {
    /// What is read where it is.
    fn nothing() -> &'static Self;
}

/// `absent!(Type)`: one that is empty stands for all that are absent.
macro_rules! absent {
    ($name:ident) => {
        impl $crate::model::seldom::Absent for $name {
            fn nothing() -> &'static Self {
                static NOTHING: std::sync::LazyLock<$name> = std::sync::LazyLock::new($name::default);
                &NOTHING
            }
        }
    };
}
pub(super) use absent;

impl<T: Absent> Deref for Seldom<T> {
    type Target = T;

    fn deref(&self) -> &T {
        if let Some(own) = &self.0 { own } else { T::nothing() }
    }
}

/// What is written to has room from then on.
impl<T: Absent> DerefMut for Seldom<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.get_or_insert_default()
    }
}

impl<T: Absent> Seldom<T> {
    /// What is there, without its box.
    pub fn into_inner(self) -> T {
        self.0.map(|own| *own).unwrap_or_default()
    }

    /// What was written to and is empty is absent again.
    pub fn settle(&mut self) {
        if self.0.as_deref() == Some(T::nothing()) {
            self.0 = None;
        }
    }

    /// What is there.
    pub fn get(&self) -> Option<&T> {
        self.0.as_deref()
    }

    /// What is there, to be changed.
    pub fn get_mut(&mut self) -> Option<&mut T> {
        self.0.as_deref_mut()
    }
}

/// What is empty is absent.
impl<T: Absent> From<T> for Seldom<T> {
    fn from(value: T) -> Self {
        Self((value != T::default()).then(|| Box::new(value)))
    }
}

impl<T: Absent> PartialEq for Seldom<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

#[cfg(test)]
mod tests {
    use crate::model::{Published, Seldom};

    #[test]
    fn what_is_empty_is_absent_and_reads_as_empty() {
        let mut seldom = Seldom::from(Published::default());
        assert!(seldom.get_mut().is_none() && seldom.publisher.is_none());
        seldom.publisher = Some("Daily".to_owned());
        assert_eq!(seldom.get_mut().and_then(|own| own.publisher.take()).as_deref(), Some("Daily"));
        assert!(seldom == Seldom::default() && seldom.get_mut().is_some());
        seldom.settle();
        assert!(seldom.get_mut().is_none());
    }
}
