//! The section `layers.gateway` as it is written.

use crate::policy::collection::{ByName, NonEmpty};
use crate::policy::grammar::{mapping, words};
use crate::policy::value::{
    Name, QuotaCount, Region, RequestCount, ResourcePath, RestApi, Seconds,
};

mapping! {
    /// Usage plans and keys of a REST API of API Gateway.
    GatewayDocument, "`gateway`" {
        /// The Region of the API.
        required region: Region,
        /// The id of the REST API, such as a1b2c3d4e5.
        required rest_api: RestApi,
        /// The deployed stage that the limits are of.
        required stage: Name,
        /// What all clients together may send. Default: what the account has.
        optional total: CeilingDocument,
        /// Plans, by name: what one key may send.
        required plans: ByName<PlanDocument>,
        /// Keys, by the name of the client. Default: none.
        optional keys: ByName<KeyDocument>,
    }
}

mapping! {
    /// What all clients of a stage together may send.
    CeilingDocument, "`total` of the gateway" {
        /// Requests per window.
        required limit: RequestCount,
        /// Seconds. Default: 1.
        optional window: Seconds,
        /// Requests that may come at once. Default: the limit.
        optional burst: RequestCount,
        /// Single methods.
        optional routes: NonEmpty<MethodDocument>,
    }
}

mapping! {
    /// A usage plan: what one key may send.
    PlanDocument, "a plan" {
        /// Requests per window.
        required limit: RequestCount,
        /// Seconds. Default: 1.
        optional window: Seconds,
        /// Requests that may come at once. Default: the limit.
        optional burst: RequestCount,
        /// Requests in a longer time. Default: any number.
        optional quota: QuotaDocument,
        /// Single methods.
        optional routes: NonEmpty<MethodDocument>,
    }
}

mapping! {
    /// Requests in a day, a week or a month.
    QuotaDocument, "`quota`" {
        /// Requests.
        required limit: QuotaCount,
        /// In which time.
        required period: PeriodWord,
    }
}

mapping! {
    /// One method of a resource.
    MethodDocument, "a route of the gateway" {
        /// Its HTTP method.
        required method: MethodWord,
        /// The path of the resource, such as /orders/{id}.
        required path: ResourcePath,
        /// Requests per window.
        required limit: RequestCount,
        /// Seconds. Default: 1.
        optional window: Seconds,
        /// Requests that may come at once. Default: the limit.
        optional burst: RequestCount,
    }
}

mapping! {
    /// A client that has a key.
    KeyDocument, "a key" {
        /// The plan of the key.
        required plan: Name,
    }
}

words! {
    /// In which time a quota is used up.
    PeriodWord, "period" {
        /// A day.
        Day = "day",
        /// A week.
        Week = "week",
        /// A month.
        Month = "month",
    }
}

words! {
    /// A method that a resource of API Gateway can have.
    MethodWord, "method of API Gateway" {
        /// The method for whatever has none of its own.
        Any = "ANY",
        /// DELETE.
        Delete = "DELETE",
        /// GET.
        Get = "GET",
        /// HEAD.
        Head = "HEAD",
        /// OPTIONS.
        Options = "OPTIONS",
        /// PATCH.
        Patch = "PATCH",
        /// POST.
        Post = "POST",
        /// PUT.
        Put = "PUT",
    }
}
