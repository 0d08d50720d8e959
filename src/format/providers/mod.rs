//! A file a format; what Google's formats share stands in `google`.

pub mod bigdata;
pub mod bigdata_chat;
pub mod fragment;
pub mod google;
