//! Where CloudFormation spells a web ACL differently from the API.
//!
//! Search strings are text (`SearchString`) or base64 (`SearchStringBase64`), and a set is named by `Arn`,
//! not `ARN` (CloudFormation user guide, `AWS::WAFv2::WebACL`). Everything else is the API's.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value as Json;

/// The API's JSON as a template has it.
pub(super) fn from_api(json: &mut Json) {
    walk(json, &|members| {
        if let Some(Json::String(blob)) = members.get("SearchString") {
            let bytes = STANDARD.decode(blob).ok();
            match bytes.map(String::from_utf8) {
                Some(Ok(text)) => put(members, "SearchString", "SearchString", Json::String(text)),
                Some(Err(_)) => {
                    let blob = Json::String(blob.clone());
                    put(members, "SearchString", "SearchStringBase64", blob);
                }
                // A secret's name: see `guard`.
                None => {}
            }
        }
        if let Some(arn) = members.get("ARN").cloned() {
            put(members, "ARN", "Arn", arn);
        }
    });
}

/// A template's web ACL as the API has it, for those who read templates.
pub fn to_api(json: &mut Json) {
    walk(json, &|members| {
        if let Some(Json::String(text)) = members.get("SearchString") {
            let blob = Json::String(STANDARD.encode(text));
            put(members, "SearchString", "SearchString", blob);
        }
        if let Some(blob) = members.get("SearchStringBase64").cloned() {
            put(members, "SearchStringBase64", "SearchString", blob);
        }
        if let Some(arn) = members.get("Arn").cloned() {
            put(members, "Arn", "ARN", arn);
        }
    });
}

type Members = serde_json::Map<String, Json>;

fn walk(json: &mut Json, each: &impl Fn(&mut Members)) {
    match json {
        Json::Array(values) => values.iter_mut().for_each(|value| walk(value, each)),
        Json::Object(members) => {
            // Bodies are under keys of the user's own.
            members
                .iter_mut()
                .filter(|(key, _)| *key != "CustomResponseBodies")
                .for_each(|(_, value)| walk(value, each));
            each(members);
        }
        _ => {}
    }
}

/// Replaces a member, which keeps its place.
fn put(members: &mut Members, old: &str, new: &str, value: Json) {
    let renamed = std::mem::take(members)
        .into_iter()
        .map(|(key, had)| if key == old { (new.to_owned(), value.clone()) } else { (key, had) });
    *members = renamed.collect();
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn search_strings_and_arns_go_there_and_back() {
        let api = json!({"Rules": [{"Statement": {"AndStatement": {"Statements": [
            {"ByteMatchStatement": {"SearchString": "L2E=", "PositionalConstraint": "EXACTLY"}},
            {"ByteMatchStatement": {"SearchString": "/w==", "PositionalConstraint": "EXACTLY"}},
            {"IPSetReferenceStatement": {"ARN": "ip-set:qa"}}]}}}],
            "CustomResponseBodies": {"ARN": {"Content": "L2E="}}});
        let template = json!({"Rules": [{"Statement": {"AndStatement": {"Statements": [
            {"ByteMatchStatement": {"SearchString": "/a", "PositionalConstraint": "EXACTLY"}},
            {"ByteMatchStatement": {"SearchStringBase64": "/w==", "PositionalConstraint": "EXACTLY"}},
            {"IPSetReferenceStatement": {"Arn": "ip-set:qa"}}]}}}],
            "CustomResponseBodies": {"ARN": {"Content": "L2E="}}});
        let mut there = api.clone();
        from_api(&mut there);
        assert_eq!(there, template);
        let keys = |json: &Json| json.to_string();
        assert_eq!(keys(&there), keys(&template), "members keep their places");
        to_api(&mut there);
        assert_eq!(there, api);
    }
}
