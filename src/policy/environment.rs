//! An environment: the policy, written again with what is different there.

use super::collection::ByName;
use super::document::{Defaults, Document, EnvironmentDocument, RouteDocument};
use super::problem::Problem;
use super::reader::{Field, Located, list, short};
use super::suggest::closest;
use super::value::{LimitChoice, LogChoice, Name};

/// More environments than anybody runs; each is checked as a policy of its own.
pub const MOST: usize = 20;

/// The document of an environment: as if the policy had been written for it alone.
pub fn document(
    base: &Document,
    own: &EnvironmentDocument,
    problems: &mut Vec<Problem>,
) -> Document {
    let mut document = Document { environments: None, ..base.clone() };
    // What stands behind one web ACL cannot stand behind another as well: AWS takes one each.
    if own.web_acl.is_some() {
        document.associations = None;
        document.origin_guard = None;
    }
    replace(&mut document.name, &own.name);
    replace(&mut document.web_acl, &own.web_acl);
    replace(&mut document.pricing_plan, &own.pricing_plan);
    replace(&mut document.alarms, &own.alarms);
    replace(&mut document.associations, &own.associations);
    replace(&mut document.dashboard, &own.dashboard);
    replace(&mut document.origin_guard, &own.origin_guard);
    if let Some(Located { value, span }) = &own.logging {
        document.logging = match value {
            LogChoice::Off => None,
            LogChoice::On(settings) => Some(Located { value: (**settings).clone(), span: *span }),
        };
    }
    if let Some(action) = &own.action {
        let span = action.span;
        let defaults =
            document.defaults.get_or_insert(Located { value: Defaults::default(), span });
        defaults.value.action = Some(*action);
        for route in document.routes.iter_mut().flat_map(|routes| &mut routes.value) {
            route.value.action = None;
        }
        if let Some(site) = &mut document.site_wide {
            site.value.action = None;
        }
    }
    if let Some(networks) = &own.networks {
        let known = document
            .networks
            .get_or_insert(Located { value: ByName(Vec::new()), span: networks.span });
        for (name, network) in &networks.value.0 {
            let entry = (name.clone(), network.clone());
            match known.value.0.iter_mut().find(|(known, _)| known.value == name.value) {
                Some(known) => *known = entry,
                None => known.value.0.push(entry),
            }
        }
    }
    if let Some(limits) = &own.limits {
        limits
            .value
            .0
            .iter()
            .for_each(|(name, limit)| set_limit(&mut document, name, *limit, problems));
    }
    document
}

fn replace<T: Clone>(base: &mut Field<T>, own: &Field<T>) {
    if own.is_some() {
        base.clone_from(own);
    }
}

fn set_limit(
    document: &mut Document,
    name: &Located<String>,
    limit: LimitChoice,
    problems: &mut Vec<Problem>,
) {
    let limit = Some(Located { value: limit, span: name.span });
    if name.value == SITE_WIDE
        && let Some(site) = &mut document.site_wide
    {
        site.value.limit = limit;
        return;
    }
    let mut routes = document.routes.iter_mut().flat_map(|routes| &mut routes.value);
    let is_it = |route: &Name| route.0 == name.value;
    let found = routes.find(|route| route.value.name.as_ref().is_some_and(|own| is_it(&own.value)));
    if let Some(route) = found {
        route.value.limit = limit;
        return;
    }
    let routes = document.routes.iter().flat_map(|routes| &routes.value);
    let names: Vec<&str> = routes
        .filter_map(|route| Some(route.value.name.as_ref()?.value.0.as_str()))
        .take(MOST)
        .collect();
    let found = match closest(&name.value, &names) {
        Some(close) => format!("did you mean `{close}`?"),
        None => "not among `routes`".to_owned(),
    };
    problems.push(
        Problem::new(format!("there is no route `{}`", short(&name.value)))
            .at(name.span)
            .found(found)
            .help(format!("known: {}", list(&names))),
    );
}

/// The name of the rule for the whole site.
pub const SITE_WIDE: &str = "site-wide";

/// Writes the rule for the whole site as the last route, which may overlap with all others.
pub fn spell_out_site_wide(document: &mut Document) {
    use super::document::Path;
    use crate::rules::PathPattern;
    let Some(Located { value: site, span }) = document.site_wide.take() else { return };
    let located = |value: Name| Located { value, span };
    let others = document.routes.iter().flat_map(|routes| &routes.value);
    let overlaps: Vec<Located<Name>> = others
        .filter_map(|route| Some(located(route.value.name.as_ref()?.value.clone())))
        .collect();
    let path = Path { meant: PathPattern::StartsWith("/".to_owned()), text_span: span };
    let route = RouteDocument {
        name: Some(located(Name(SITE_WIDE.to_owned()))),
        path: Some(Located { value: path, span }),
        window: site.window,
        action: site.action,
        limit: site.limit,
        key: site.key,
        accept: site.accept,
        twins: site.twins,
        overlaps: Some(Located { value: overlaps, span }),
        ..RouteDocument::default()
    };
    let routes = document.routes.get_or_insert(Located { value: Vec::new(), span });
    routes.value.push(Located { value: route, span });
}
