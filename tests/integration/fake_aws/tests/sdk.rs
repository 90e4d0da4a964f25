//! The same wire, spoken by AWS's own clients.

use aws_sdk_wafv2::config::retry::RetryConfig;
use aws_sdk_wafv2::config::{BehaviorVersion, Credentials, Region};
use aws_sdk_wafv2::error::ProvideErrorMetadata;
use aws_sdk_wafv2::types::{
    AllowAction, DefaultAction, IpAddressVersion, Scope, Tag, VisibilityConfig,
};
use ratewaf::units::Timestamp;
use serde_json::json;

use super::{rule, shop};
use crate::fake_aws::{FakeAws, Fault, On, Visit};

fn run<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(future)
}

/// The settings of a client of any of the services.
macro_rules! client {
    ($service:ident, $aws:expr, $attempts:expr) => {
        $service::Client::from_conf(
            $service::Config::builder()
                .behavior_version(BehaviorVersion::latest())
                .region(Region::new("us-east-1"))
                .credentials_provider(Credentials::new("KEY", "SECRET", None, None, "test"))
                .endpoint_url($aws.url())
                .retry_config(
                    RetryConfig::standard()
                        .with_max_attempts($attempts)
                        .with_initial_backoff(std::time::Duration::from_millis(2)),
                )
                .build(),
        )
    };
}

fn visibility() -> VisibilityConfig {
    VisibilityConfig::builder()
        .sampled_requests_enabled(true)
        .cloud_watch_metrics_enabled(true)
        .metric_name("own")
        .build()
        .unwrap()
}

#[test]
fn web_acls_ip_sets_and_tags() {
    let (aws, _) = shop(&[rule("acl-token", 10, 100, &json!({ "Count": {} }))]);
    let waf = client!(aws_sdk_wafv2, aws, 1);
    run(async {
        let allow = DefaultAction::builder().allow(AllowAction::builder().build()).build();
        let made = waf
            .create_web_acl()
            .name("own")
            .scope(Scope::Cloudfront)
            .default_action(allow.clone())
            .visibility_config(visibility())
            .tags(Tag::builder().key("managed-by").value("ratewaf").build().unwrap())
            .send()
            .await
            .unwrap();
        let summary = made.summary.unwrap();
        let (id, arn) = (summary.id.unwrap(), summary.arn.unwrap());
        assert!(arn.starts_with("arn:aws:wafv2:us-east-1:123456789012:global/webacl/own/"));
        let listed = waf.list_web_acls().scope(Scope::Cloudfront).send().await.unwrap();
        assert_eq!(listed.web_acls().len(), 2);
        let read =
            waf.get_web_acl().name("own").id(&id).scope(Scope::Cloudfront).send().await.unwrap();
        let token = read.lock_token.unwrap();
        let acl = read.web_acl.unwrap();
        assert_eq!(
            (acl.capacity, acl.label_namespace()),
            (0, Some("awswaf:123456789012:webacl:own:"))
        );
        let update = || {
            waf.update_web_acl()
                .name("own")
                .id(&id)
                .scope(Scope::Cloudfront)
                .lock_token(&token)
                .default_action(allow.clone())
                .visibility_config(visibility())
        };
        assert_ne!(update().send().await.unwrap().next_lock_token, Some(token.clone()));
        let stale = update().send().await.unwrap_err().into_service_error();
        assert!(stale.is_waf_optimistic_lock_exception());

        let wrong = waf
            .create_ip_set()
            .name("qa")
            .scope(Scope::Cloudfront)
            .ip_address_version(IpAddressVersion::Ipv4)
            .addresses("192.0.2.1")
            .send()
            .await
            .unwrap_err()
            .into_service_error();
        let aws_sdk_wafv2::operation::create_ip_set::CreateIPSetError::WafInvalidParameterException(
            said,
        ) = wrong
        else {
            panic!("{wrong}");
        };
        assert_eq!(
            (said.field().unwrap().as_str(), said.parameter()),
            ("IP_ADDRESS", Some("192.0.2.1"))
        );
        let tags = waf.list_tags_for_resource().resource_arn(&arn).send().await.unwrap();
        assert_eq!(tags.tag_info_for_resource.unwrap().tag_list()[0].value(), "ratewaf");
    });
}

#[test]
fn alarms_and_figures() {
    let (aws, _) = shop(&[rule("acl-token", 10, 10, &json!({ "Count": {} }))]);
    let start = aws.now().0 - 200;
    let visits: Vec<Visit> =
        (0..60).map(|it| Visit::new(Timestamp(start + it), "192.0.2.1", "GET", "/token")).collect();
    aws.replay("shop", &visits);
    let cloudwatch = client!(aws_sdk_cloudwatch, aws, 1);
    run(async {
        use aws_sdk_cloudwatch::primitives::DateTime;
        use aws_sdk_cloudwatch::types::{
            ComparisonOperator, Dimension, Metric, MetricDataQuery, MetricStat, StateValue,
            Statistic,
        };
        let dimension =
            |name: &str, value: &str| Dimension::builder().name(name).value(value).build();
        let dimensions = vec![dimension("Rule", "metric-acl-token"), dimension("WebACL", "shop")];
        cloudwatch
            .put_metric_alarm()
            .alarm_name("acl-token")
            .namespace("AWS/WAFV2")
            .metric_name("CountedRequests")
            .set_dimensions(Some(dimensions.clone()))
            .statistic(Statistic::Sum)
            .period(300)
            .evaluation_periods(1)
            .threshold(0.0)
            .comparison_operator(ComparisonOperator::GreaterThanThreshold)
            .treat_missing_data("notBreaching")
            .send()
            .await
            .unwrap();
        let told = cloudwatch.describe_alarms().alarm_name_prefix("acl").send().await.unwrap();
        let alarm = &told.metric_alarms()[0];
        assert_eq!(alarm.state_value(), Some(&StateValue::Alarm));
        assert!(alarm.state_updated_timestamp().is_some() && alarm.threshold() == Some(0.0));
        let metric = Metric::builder()
            .namespace("AWS/WAFV2")
            .metric_name("CountedRequests")
            .set_dimensions(Some(dimensions))
            .build();
        let query = MetricDataQuery::builder()
            .id("counted")
            .metric_stat(MetricStat::builder().metric(metric).period(60).stat("Sum").build())
            .build();
        let told = cloudwatch
            .get_metric_data()
            .start_time(DateTime::from_secs(start - 60))
            .end_time(DateTime::from_secs(start + 120))
            .metric_data_queries(query)
            .send()
            .await
            .unwrap();
        let result = &told.metric_data_results()[0];
        assert!(result.values().iter().sum::<f64>() > 0.0);
        assert_eq!(result.timestamps().len(), result.values().len());
        let missing = cloudwatch.delete_alarms().alarm_names("none").send().await.unwrap_err();
        assert_eq!(missing.code(), Some("ResourceNotFound"));
    });
}

#[test]
fn distributions() {
    let (aws, _) = shop(&[]);
    aws.put_distribution("E1", "");
    let cloudfront = client!(aws_sdk_cloudfront, aws, 1);
    let arn = aws.web_acl_arn("shop").unwrap();
    run(async {
        let read = cloudfront.get_distribution_config().id("E1").send().await.unwrap();
        assert_eq!(read.distribution_config().unwrap().web_acl_id(), Some(""));
        let associate = || cloudfront.associate_distribution_web_acl().id("E1").web_acl_arn(&arn);
        let wrong = associate().if_match("other").send().await.unwrap_err();
        assert_eq!(wrong.code(), Some("PreconditionFailed"));
        associate().set_if_match(read.e_tag).send().await.unwrap();
        let all =
            cloudfront.list_distributions_by_web_acl_id().web_acl_id(&arn).send().await.unwrap();
        assert_eq!(all.distribution_list().unwrap().items()[0].id(), "E1");
        let none = cloudfront.get_distribution().id("E2").send().await.unwrap_err();
        assert_eq!(none.code(), Some("NoSuchDistribution"));
    });
    assert_eq!(aws.distribution("E1"), Some(arn));
}

/// What passes is tried again by the client itself, and what does not is an error of the right kind.
#[test]
fn faults_are_met_as_clients_meet_them() {
    let aws = FakeAws::start();
    let waf = client!(aws_sdk_wafv2, aws, 3);
    let list = || run(waf.list_web_acls().scope(Scope::Cloudfront).send()).map_err(Box::new);
    for passing in [Fault::Before, Fault::After, Fault::Throttle, Fault::InternalError] {
        aws.forget();
        aws.fail(On::Next("ListWebACLs"), passing);
        list().unwrap();
        assert_eq!(aws.seen().len(), 2, "{passing:?}");
    }
    aws.forget();
    aws.fail(On::CallAndRetries(0), Fault::Throttle);
    assert_eq!(list().unwrap_err().code(), Some("ThrottlingException"));
    assert_eq!(aws.seen().len(), 3);
    aws.heal();
    aws.fail(On::Next("ListWebACLs"), Fault::AccessDenied);
    let denied = list().unwrap_err();
    assert_eq!(denied.code(), Some("AccessDeniedException"));
    assert!(denied.message().unwrap().contains("wafv2:ListWebACLs"));
}
