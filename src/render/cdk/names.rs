//! CloudFormation's names as the CDK spells them.

/// `IPSetReferenceStatement` becomes `ipSetReferenceStatement`, `OKActions` `okActions`, `WebACLArn`
/// `webAclArn`: words begin at a capital after a small letter, and at the last of several capitals.
pub(super) fn property(name: &str) -> String {
    let characters: Vec<char> = name.chars().collect();
    let mut out = String::with_capacity(name.len());
    for (place, &character) in characters.iter().enumerate() {
        let before = place.checked_sub(1).and_then(|place| characters.get(place));
        let after = characters.get(place + 1);
        let begins = character.is_ascii_uppercase()
            && before.is_some_and(|&before| {
                before.is_ascii_lowercase()
                    || before.is_ascii_digit()
                    || after.is_some_and(char::is_ascii_lowercase)
            });
        if begins {
            out.push(character);
        } else {
            out.push(character.to_ascii_lowercase());
        }
    }
    out
}

/// `AclQaV4IpSet` becomes `aclQaV4IpSet`.
pub(super) fn variable(id: &str) -> String {
    let mut characters = id.chars();
    let first = characters.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(characters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_are_spelled_as_in_the_cdk() {
        for (name, wanted) in [
            ("Name", "name"),
            ("IPAddressVersion", "ipAddressVersion"),
            ("IPSetReferenceStatement", "ipSetReferenceStatement"),
            ("WebACLArn", "webAclArn"),
            ("OKActions", "okActions"),
            ("CloudWatchMetricsEnabled", "cloudWatchMetricsEnabled"),
            ("HTTPMethod", "httpMethod"),
            ("ForwardedIPConfig", "forwardedIpConfig"),
            ("JA3Fingerprint", "ja3Fingerprint"),
            ("ASN", "asn"),
            ("IP", "ip"),
            ("ForwardedIP", "forwardedIp"),
        ] {
            assert_eq!(property(name), wanted);
        }
    }
}
