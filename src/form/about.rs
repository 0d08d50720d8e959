//! The smaller things that are true of a response as a whole.

use super::reader::owned;
use super::values::{Code, Text, text};
use super::{Derived, Json, List, Must, form};
use crate::model::{self, BlobContent, Failure, SearchSuggestions};

form! {
    /// Flags of an event
    @inline pub struct Flags<'a> {
        /// The turn is complete
        turn_complete: Option<bool> = "turn_complete";
        /// The model was interrupted
        interrupted: Option<bool> = "interrupted";
        /// Ids of calls that go on after the event
        long_running: List<'a, Text<'a>> = "long_running_tool_ids";
    }

    /// A class
    @inline pub struct QueryClass<'a> {
        /// Its name
        name: Must<Text<'a>> = "type";
        /// Whether it applies; null where not sent
        positive: Option<bool> = "positive";
    }

    /// A rating
    @inline pub struct Rating<'a> {
        /// Kind of harm
        category: Option<Text<'a>> = "category";
        /// Likelihood in words
        probability: Option<Text<'a>> = "probability";
        /// Likelihood, 0 to 1
        probability_score: Option<f64> = "probability_score";
        /// Severity in words
        severity: Option<Text<'a>> = "severity";
        /// Severity, 0 to 1
        severity_score: Option<f64> = "severity_score";
        /// Whether the content was left out for it
        blocked: Option<bool> = "blocked";
    }

    /// Search suggestions
    @inline pub struct Suggestions<'a> {
        /// HTML, as sent
        html: Option<Text<'a>> = "rendered_content";
        /// Base64, as sent
        blob: Option<Text<'a>> = "sdk_blob";
        /// What the blob holds; null where there is none or it cannot be read
        links: Derived<Option<List<'a, Suggestion<'a>>>> = "links";
        /// What the blob holds where no query with an address is in it; null elsewhere
        decoded: Derived<Option<Json<'a>>> = "decoded", added;
    }

    /// A suggestion
    @inline pub struct Suggestion<'a> {
        /// The query
        query: Must<Text<'a>> = "query";
        /// Its address
        uri: Must<Text<'a>> = "uri";
    }

    /// A page
    @inline pub struct Page<'a> {
        /// Address; empty where not sent
        uri: Must<Text<'a>> = "uri";
        /// Status in the provider's words; empty where not sent
        status: Must<Text<'a>> = "status";
        /// The provider says that it did not come
        failed: Must<bool> = "failed";
    }

    /// A chart
    @inline pub struct Chart<'a> {
        /// Id; empty where not sent
        id: Must<Text<'a>> = "id";
        /// Title; empty where not sent
        title: Must<Text<'a>> = "title";
    }

    /// A passage
    @inline pub struct Recitation<'a> {
        /// First byte, as sent
        start: Option<i64> = "start";
        /// First byte after it, as sent
        end: Option<i64> = "end";
        /// Address of the work
        uri: Option<Text<'a>> = "uri";
        /// Title
        title: Option<Text<'a>> = "title";
        /// Licence
        license: Option<Text<'a>> = "license";
        /// Publication date, ISO 8601 as far as sent
        date: Option<Text<'a>> = "date";
    }

    /// A flag
    @inline pub struct Flag<'a> {
        /// Id; empty where not sent
        id: Must<Text<'a>> = "id";
        /// Address; empty where not sent
        uri: Must<Text<'a>> = "flag_uri";
    }

    /// An error
    @inline pub struct Reported<'a> {
        /// Code, as sent
        code: Option<Code<'a>> = "code";
        /// Message, as sent
        message: Option<Text<'a>> = "message";
    }
}

impl<'a> QueryClass<'a> {
    pub fn of((name, positive): &'a (String, Option<bool>)) -> Self {
        Self { name: Text::from(name).into(), positive: *positive }
    }
}

impl<'a> Rating<'a> {
    pub fn of(rating: &'a model::SafetyRating) -> Self {
        Self {
            category: text(&rating.category),
            probability: text(&rating.probability),
            probability_score: rating.probability_score,
            severity: text(&rating.severity),
            severity_score: rating.severity_score,
            blocked: rating.blocked,
        }
    }

    pub fn read(self) -> model::SafetyRating {
        model::SafetyRating {
            category: owned(self.category),
            probability: owned(self.probability),
            probability_score: self.probability_score,
            severity: owned(self.severity),
            severity_score: self.severity_score,
            blocked: self.blocked,
        }
    }
}

impl<'a> Suggestions<'a> {
    pub fn of(suggestions: &'a SearchSuggestions) -> Self {
        let links = match &suggestions.links {
            Some(Ok(BlobContent::Links(links))) => Some(links),
            _ => None,
        };
        let other = match &suggestions.links {
            Some(Ok(BlobContent::Other(value))) => Some(Json::of(value)),
            _ => None,
        };
        let link = |(query, uri): &'a (String, String)| Suggestion {
            query: Text::from(query).into(),
            uri: Text::from(uri).into(),
        };
        Self {
            html: text(&suggestions.html),
            blob: text(&suggestions.blob),
            links: links.map(|links| List::of(move || links.iter().map(link))).into(),
            decoded: other.into(),
        }
    }

    pub fn read(self) -> SearchSuggestions {
        SearchSuggestions { html: owned(self.html), blob: owned(self.blob), links: None }
    }
}

impl<'a> Page<'a> {
    pub fn of(page: &'a model::Page) -> Self {
        Self {
            uri: Text::from(&page.uri).into(),
            status: Text::from(&page.status).into(),
            failed: page.failed.into(),
        }
    }

    pub fn read(self) -> model::Page {
        model::Page {
            uri: self.uri.or_empty(),
            status: self.status.or_empty(),
            failed: self.failed.0.unwrap_or_default(),
        }
    }
}

impl<'a> Chart<'a> {
    pub fn of((id, title): &'a (String, String)) -> Self {
        Self { id: Text::from(id).into(), title: Text::from(title).into() }
    }
}

impl<'a> Recitation<'a> {
    pub fn of(recitation: &'a model::Recitation) -> Self {
        Self {
            start: recitation.start,
            end: recitation.end,
            uri: text(&recitation.uri),
            title: text(&recitation.title),
            license: text(&recitation.license),
            date: text(&recitation.date),
        }
    }

    pub fn read(self) -> model::Recitation {
        model::Recitation {
            start: self.start,
            end: self.end,
            uri: owned(self.uri),
            title: owned(self.title),
            license: owned(self.license),
            date: owned(self.date),
        }
    }
}

impl<'a> Flag<'a> {
    pub fn of((id, uri): &'a (String, String)) -> Self {
        Self { id: Text::from(id).into(), uri: Text::from(uri).into() }
    }
}

impl<'a> Reported<'a> {
    pub fn of(error: &'a Failure) -> Self {
        Self { code: error.code.as_deref().map(|code| Code(code.into())), message: text(&error.message) }
    }

    pub fn read(self) -> Failure {
        Failure { code: self.code.map(|code| code.0.into_owned()), message: owned(self.message) }
    }
}
