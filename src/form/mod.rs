//! The neutral form, schema `citescope/1`: every field is declared once, with its key, its type and its
//! description. The tolerant reader, the writer and the JSON Schema (`assets/`) come from these declarations;
//! the ways to and from the model stand beside them, in one file a part.
//!
//! To add a field: the model, its line and its two ways here, and the place that fills it.

mod about;
mod reader;
mod remarks;
mod response;
mod results;
#[cfg(test)]
mod schema;
mod sources;
mod supports;
mod traces;
mod values;

pub use reader::Reader;
pub use remarks::Remark;
pub use response::{Document, Response};
pub use results::{Anchor, Better, Evidence, Finding, Fit, Fix, Window};
pub use sources::Source;
pub use supports::Support;
pub use traces::{Query, Trace};
pub use values::{Count, Derived, Entry, Extra, Json, List, Must, Only, Ordinal, Pair, Said};

/// Declares structs of the form: `field: Type = "key";`, each with a description, in the order in which they
/// are written. `@inline` ones have no definition of their own in the schema. Those that are `written` only
/// are worked out anew and never read. A field that came after the schema was first published is `= "key",
/// added`: it is always written, and not required, so that documents of before stay valid.
macro_rules! form {
    (@schema $name:ident $(<$life:lifetime>)?, [$($inline:ident)?], [$($about:literal)*],
        [$($key:literal, $required:expr, $type:ty, [$($doc:literal)+];)*]) => {
        #[cfg(test)]
        impl $(<$life>)? schemars::JsonSchema for $name $(<$life>)? {
            fn inline_schema() -> bool {
                form!(@inline $($inline)?)
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).to_lowercase().into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let about = [$($about),*];
                let fields = vec![$(($key, vec![$($doc),+], $required, generator.subschema_for::<$type>())),*];
                $crate::form::schema::object(&about, fields)
            }
        }
    };
    (@required added) => { false };
    (@required) => { true };
    (@inline inline) => { true };
    (@inline) => { false };

    ($($(#[doc = $about:literal])* $(@$inline:ident)? pub struct $name:ident $(<$life:lifetime>)? {
        $($(#[doc = $doc:literal])+ $field:ident: $type:ty = $key:literal $(, $added:ident)?;)*
    })*) => {$(
        $(#[doc = $about])*
        #[derive(Default)]
        pub struct $name $(<$life>)? { $($(#[doc = $doc])+ pub $field: $type),* }

        impl $(<$life>)? serde::Serialize for $name $(<$life>)? {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeMap;
                let mut map = serializer.serialize_map(None)?;
                $(if $crate::form::Entry::is_written(&self.$field) {
                    map.serialize_entry($key, &self.$field)?;
                })*
                map.end()
            }
        }

        const _: () = {
            #[allow(non_camel_case_types)] // names of fields serve as names of bits
            enum Bit { $($field),* }

            // A field is a bit of `seen`.
            const _: () = assert!([$($key),*].len() <= 64);

            impl $(<$life>)? $crate::json::wire::Object for $name $(<$life>)? {
                // A thing of the model beside that of the form.
                const TAKES: usize = 1408;

                fn set(
                    &mut self,
                    key: &str,
                    reader: &mut $crate::json::wire::Reader<'_>,
                    cx: &$crate::json::wire::Cx,
                    seen: &mut u64,
                ) -> Result<bool, $crate::json::wire::Unreadable> {
                    match key {
                        $($key => $crate::json::wire::field(
                            ($key, Bit::$field as u32, $crate::json::wire::Listed::No),
                            &mut self.$field, reader, cx, seen,
                        )?,)*
                        _ => return Ok(false),
                    }
                    Ok(true)
                }
            }
        };

        form!(@schema $name $(<$life>)?, [$($inline)?], [$($about)*], [$(
            $key, form!(@required $($added)?) && <$type as $crate::form::Entry>::REQUIRED, $type, [$($doc)+];
        )*]);
    )*};

    (written $($(#[doc = $about:literal])* $(@$inline:ident)? pub struct $name:ident $(<$life:lifetime>)? {
        $($(#[doc = $doc:literal])+ $field:ident: $type:ty = $key:literal $(, $added:ident)?;)*
    })*) => {$(
        $(#[doc = $about])*
        pub struct $name $(<$life>)? { $($(#[doc = $doc])+ pub $field: $type),* }

        impl $(<$life>)? serde::Serialize for $name $(<$life>)? {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeMap;
                let mut map = serializer.serialize_map(None)?;
                $(map.serialize_entry($key, &self.$field)?;)*
                map.end()
            }
        }

        form!(@schema $name $(<$life>)?, [$($inline)?], [$($about)*], [$(
            $key, form!(@required $($added)?), $type, [$($doc)+];
        )*]);
    )*};
}
pub(crate) use form;
