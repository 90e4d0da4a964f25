//! A request before it is spelled out: small, because an hour of them is held at once.

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Resource {
    Home,
    Category,
    Product,
    Search,
    Script,
    Style,
    Font,
    Image,
    /// The route that the truth is about.
    Token,
    /// `OPTIONS` on its path, which a browser sends before a request to another origin.
    TokenPreflight,
    Login,
    Cart,
    Reviews,
    Suggestions,
    Webhook,
    Health,
    Robots,
    Sitemap,
    /// A WebSocket, logged when it closes.
    Live,
    /// A large file, in ranges.
    Download,
    /// What is not there, but would be welcome to somebody.
    Hole,
}

impl Resource {
    /// Whether a cache in front of the origin answers it.
    pub(super) const fn is_static(self) -> bool {
        matches!(self, Self::Script | Self::Style | Self::Font | Self::Image | Self::Download)
    }
}

/// Who asks, and with what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Caller {
    /// Its number in the cast.
    pub(super) client: u32,
    /// Which user agent; see `agents`.
    pub(super) agent: u32,
    /// One connection: its port and protocol follow from it.
    pub(super) connection: u32,
}

/// One request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    /// When the answer was complete, which is what a log tells: seconds since 1970.
    pub(super) end: u32,
    /// How long it took, in milliseconds.
    pub(super) taken: u32,
    pub(super) caller: Caller,
    /// Which product, page, file.
    pub(super) item: u32,
    /// The page that linked here, as `site::page` numbers them.
    pub(super) page: u32,
    /// Everything else that varies from line to line follows from it, the request id first.
    pub(super) noise: u64,
    pub(super) status: u16,
    pub(super) resource: Resource,
    /// 0: as the route is written; else one of the other spellings in `site`.
    pub(super) spelling: u8,
    /// A second delivery of a request that another line holds.
    pub(super) copy: bool,
}

impl Record {
    /// When it arrived, in seconds since 1970, which is when a rate-based rule counts it.
    pub(super) const fn arrival(&self) -> u32 {
        self.end - self.taken / 1_000
    }
}
