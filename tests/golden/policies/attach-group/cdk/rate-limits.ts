// Rate limits for somebody else's web ACL theirs in front of CloudFront.
// Policy: ratewaf.yaml
// Evidence: 114,144 log lines from 8 Sep 2026 to 14 Sep 2026, fingerprint 13c34bc40acce337
// Written by ratewaf emit: change the policy and emit again, not this file.
// To compare the two: ratewaf emit --format cdk --check out/
// Deploy it in us-east-1.
//
// Uses 5 of 10 rate-based rules and about 243 of 5,000 WCU (an estimate; AWS decides).
// Costs 7.00 USD a month for the rule group and its rules (pay as you go, prices of 2026-06-01).
//
// Please note:
// - Route `login`: pinned 30; the lock has no figures for the route.
// - Route `search`: pinned 300; the lock has no figures for the route.
// - Route `report`: pinned 60; the lock has no figures for the route.
// - Route `report`: no rule counts the tester network `load-test`, because it has no twin here.
//
// To do by hand:
// - For the owner of the web ACL: If our group is added from outside, and the web ACL theirs is a
// Terraform resource anywhere, it needs lifecycle { ignore_changes = [rule] }; without it the
// owner's next apply removes our rules. Where the owner writes the reference to our group into
// that resource, it must not have that line: Terraform would never add the rule.
import * as cdk from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as wafv2 from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

// Rate limits of the web ACL theirs
export class RateLimits extends Construct {
  // The rule group, for rules that refer to it
  public readonly guestLimitsRuleGroupArn: string;
  // The rule group, for rules that refer to it
  public readonly guestLimits2RuleGroupArn: string;

  constructor(scope: Construct, id: string) {
    super(scope, id);

    // load-test (tester), not counted by guest-login, guest-search, guest-report, counted alone by
    // guest-login-load-test, guest-search-load-test
    const guestLoadTestV4IpSet = new wafv2.CfnIPSet(this, 'GuestLoadTestV4IpSet', {
      name: 'guest-load-test-v4',
      scope: 'CLOUDFRONT',
      ipAddressVersion: 'IPV4',
      addresses: [
        '192.0.2.0/28',
      ],
    });

    // CloudFormation cannot add a rule to a web ACL that it does not own. The owner of theirs adds one
    // that refers to this group, with the ARN of the output:
    // Name guest-limits, Priority 100, OverrideAction None, Statement RuleGroupReferenceStatement with
    // this Arn.
    const guestLimitsRuleGroup = new wafv2.CfnRuleGroup(this, 'GuestLimitsRuleGroup', {
      name: 'guest-limits',
      scope: 'CLOUDFRONT',
      // More than the rules use: the capacity cannot be changed without a new group, which AWS refuses
      // while a web ACL uses the old one.
      capacity: 500,
      description: 'Rate limits, written by ratewaf emit',
      rules: [
        // guest-login: POST /login, everybody but load-test
        {
          name: 'guest-login',
          priority: 10,
          statement: {
            rateBasedStatement: {
              // Pinned in the policy: 30 requests per 300 s.
              // The lock has no figures for this route.
              limit: 30,
              evaluationWindowSec: 300,
              aggregateKeyType: 'IP',
              scopeDownStatement: {
                andStatement: {
                  statements: [
                    {
                      orStatement: {
                        statements: [
                          {
                            byteMatchStatement: {
                              searchString: '/login',
                              fieldToMatch: {
                                uriPath: {},
                              },
                              textTransformations: [
                                {
                                  priority: 0,
                                  type: 'URL_DECODE',
                                },
                                {
                                  priority: 1,
                                  type: 'NORMALIZE_PATH',
                                },
                                {
                                  priority: 2,
                                  type: 'LOWERCASE',
                                },
                              ],
                              positionalConstraint: 'EXACTLY',
                            },
                          },
                          {
                            byteMatchStatement: {
                              searchString: '/login/',
                              fieldToMatch: {
                                uriPath: {},
                              },
                              textTransformations: [
                                {
                                  priority: 0,
                                  type: 'URL_DECODE',
                                },
                                {
                                  priority: 1,
                                  type: 'NORMALIZE_PATH',
                                },
                                {
                                  priority: 2,
                                  type: 'LOWERCASE',
                                },
                              ],
                              positionalConstraint: 'EXACTLY',
                            },
                          },
                        ],
                      },
                    },
                    {
                      byteMatchStatement: {
                        searchString: 'POST',
                        fieldToMatch: {
                          method: {},
                        },
                        textTransformations: [
                          {
                            priority: 0,
                            type: 'NONE',
                          },
                        ],
                        positionalConstraint: 'EXACTLY',
                      },
                    },
                    {
                      notStatement: {
                        statement: {
                          ipSetReferenceStatement: {
                            arn: guestLoadTestV4IpSet.attrArn,
                          },
                        },
                      },
                    },
                  ],
                },
              },
            },
          },
          action: {
            block: {
              CustomResponse: {
                ResponseCode: 429,
                CustomResponseBodyKey: 'guest-limited',
                ResponseHeaders: [
                  {
                    Name: 'Retry-After',
                    Value: '300',
                  },
                ],
              },
            },
          },
          visibilityConfig: {
            sampledRequestsEnabled: true,
            cloudWatchMetricsEnabled: true,
            metricName: 'guest-login',
          },
        },
        // guest-login-load-test: POST /login, load-test only
        {
          name: 'guest-login-load-test',
          priority: 20,
          statement: {
            rateBasedStatement: {
              // Counts the network `load-test` only. 300 (1 per second): 10x the main limit 30.
              // The logs were read without this network, so its peak is not known.
              limit: 300,
              evaluationWindowSec: 300,
              aggregateKeyType: 'IP',
              scopeDownStatement: {
                andStatement: {
                  statements: [
                    {
                      orStatement: {
                        statements: [
                          {
                            byteMatchStatement: {
                              searchString: '/login',
                              fieldToMatch: {
                                uriPath: {},
                              },
                              textTransformations: [
                                {
                                  priority: 0,
                                  type: 'URL_DECODE',
                                },
                                {
                                  priority: 1,
                                  type: 'NORMALIZE_PATH',
                                },
                                {
                                  priority: 2,
                                  type: 'LOWERCASE',
                                },
                              ],
                              positionalConstraint: 'EXACTLY',
                            },
                          },
                          {
                            byteMatchStatement: {
                              searchString: '/login/',
                              fieldToMatch: {
                                uriPath: {},
                              },
                              textTransformations: [
                                {
                                  priority: 0,
                                  type: 'URL_DECODE',
                                },
                                {
                                  priority: 1,
                                  type: 'NORMALIZE_PATH',
                                },
                                {
                                  priority: 2,
                                  type: 'LOWERCASE',
                                },
                              ],
                              positionalConstraint: 'EXACTLY',
                            },
                          },
                        ],
                      },
                    },
                    {
                      byteMatchStatement: {
                        searchString: 'POST',
                        fieldToMatch: {
                          method: {},
                        },
                        textTransformations: [
                          {
                            priority: 0,
                            type: 'NONE',
                          },
                        ],
                        positionalConstraint: 'EXACTLY',
                      },
                    },
                    {
                      ipSetReferenceStatement: {
                        arn: guestLoadTestV4IpSet.attrArn,
                      },
                    },
                  ],
                },
              },
            },
          },
          action: {
            block: {
              CustomResponse: {
                ResponseCode: 429,
                CustomResponseBodyKey: 'guest-limited',
                ResponseHeaders: [
                  {
                    Name: 'Retry-After',
                    Value: '300',
                  },
                ],
              },
            },
          },
          visibilityConfig: {
            sampledRequestsEnabled: true,
            cloudWatchMetricsEnabled: true,
            metricName: 'guest-login-load-test',
          },
        },
        // guest-search: /search*, everybody but load-test (counts only, stops nobody)
        {
          name: 'guest-search',
          priority: 30,
          statement: {
            rateBasedStatement: {
              // Pinned in the policy: 300 requests per 300 s.
              // The lock has no figures for this route.
              limit: 300,
              evaluationWindowSec: 300,
              aggregateKeyType: 'IP',
              scopeDownStatement: {
                andStatement: {
                  statements: [
                    {
                      byteMatchStatement: {
                        searchString: '/search',
                        fieldToMatch: {
                          uriPath: {},
                        },
                        textTransformations: [
                          {
                            priority: 0,
                            type: 'URL_DECODE',
                          },
                          {
                            priority: 1,
                            type: 'NORMALIZE_PATH',
                          },
                          {
                            priority: 2,
                            type: 'LOWERCASE',
                          },
                        ],
                        positionalConstraint: 'STARTS_WITH',
                      },
                    },
                    {
                      notStatement: {
                        statement: {
                          ipSetReferenceStatement: {
                            arn: guestLoadTestV4IpSet.attrArn,
                          },
                        },
                      },
                    },
                  ],
                },
              },
            },
          },
          action: {
            count: {},
          },
          visibilityConfig: {
            sampledRequestsEnabled: true,
            cloudWatchMetricsEnabled: true,
            metricName: 'guest-search',
          },
        },
        // guest-search-load-test: /search*, load-test only (counts only, stops nobody)
        {
          name: 'guest-search-load-test',
          priority: 40,
          statement: {
            rateBasedStatement: {
              // Counts the network `load-test` only. 3,000 (10 per second): 10x the main limit 300.
              // The logs were read without this network, so its peak is not known.
              limit: 3000,
              evaluationWindowSec: 300,
              aggregateKeyType: 'IP',
              scopeDownStatement: {
                andStatement: {
                  statements: [
                    {
                      byteMatchStatement: {
                        searchString: '/search',
                        fieldToMatch: {
                          uriPath: {},
                        },
                        textTransformations: [
                          {
                            priority: 0,
                            type: 'URL_DECODE',
                          },
                          {
                            priority: 1,
                            type: 'NORMALIZE_PATH',
                          },
                          {
                            priority: 2,
                            type: 'LOWERCASE',
                          },
                        ],
                        positionalConstraint: 'STARTS_WITH',
                      },
                    },
                    {
                      ipSetReferenceStatement: {
                        arn: guestLoadTestV4IpSet.attrArn,
                      },
                    },
                  ],
                },
              },
            },
          },
          action: {
            count: {},
          },
          visibilityConfig: {
            sampledRequestsEnabled: true,
            cloudWatchMetricsEnabled: true,
            metricName: 'guest-search-load-test',
          },
        },
      ],
      visibilityConfig: {
        sampledRequestsEnabled: true,
        cloudWatchMetricsEnabled: true,
        metricName: 'guest-limits',
      },
      customResponseBodies: {
        'guest-limited': {
          contentType: 'APPLICATION_JSON',
          content: '{"error":"too_many_requests","message":"Rate limit exceeded. Try again later."}',
        },
      },
    });

    // CloudFormation cannot add a rule to a web ACL that it does not own. The owner of theirs adds one
    // that refers to this group, with the ARN of the output:
    // Name guest-limits-2, Priority 110, OverrideAction None, Statement RuleGroupReferenceStatement
    // with this Arn.
    const guestLimits2RuleGroup = new wafv2.CfnRuleGroup(this, 'GuestLimits2RuleGroup', {
      name: 'guest-limits-2',
      scope: 'CLOUDFRONT',
      // More than the rules use: the capacity cannot be changed without a new group, which AWS refuses
      // while a web ACL uses the old one.
      capacity: 250,
      description: 'Rate limits, written by ratewaf emit',
      rules: [
        // guest-report: /report*, everybody but load-test
        {
          name: 'guest-report',
          priority: 50,
          statement: {
            rateBasedStatement: {
              // Pinned in the policy: 60 requests per 300 s.
              // The lock has no figures for this route.
              limit: 60,
              evaluationWindowSec: 300,
              aggregateKeyType: 'IP',
              scopeDownStatement: {
                andStatement: {
                  statements: [
                    {
                      byteMatchStatement: {
                        searchString: '/report',
                        fieldToMatch: {
                          uriPath: {},
                        },
                        textTransformations: [
                          {
                            priority: 0,
                            type: 'URL_DECODE',
                          },
                          {
                            priority: 1,
                            type: 'NORMALIZE_PATH',
                          },
                          {
                            priority: 2,
                            type: 'LOWERCASE',
                          },
                        ],
                        positionalConstraint: 'STARTS_WITH',
                      },
                    },
                    {
                      notStatement: {
                        statement: {
                          ipSetReferenceStatement: {
                            arn: guestLoadTestV4IpSet.attrArn,
                          },
                        },
                      },
                    },
                  ],
                },
              },
            },
          },
          action: {
            block: {
              CustomResponse: {
                ResponseCode: 429,
                CustomResponseBodyKey: 'guest-limited',
                ResponseHeaders: [
                  {
                    Name: 'Retry-After',
                    Value: '300',
                  },
                ],
              },
            },
          },
          visibilityConfig: {
            sampledRequestsEnabled: true,
            cloudWatchMetricsEnabled: true,
            metricName: 'guest-report',
          },
        },
      ],
      visibilityConfig: {
        sampledRequestsEnabled: true,
        cloudWatchMetricsEnabled: true,
        metricName: 'guest-limits-2',
      },
      customResponseBodies: {
        'guest-limited': {
          contentType: 'APPLICATION_JSON',
          content: '{"error":"too_many_requests","message":"Rate limit exceeded. Try again later."}',
        },
      },
    });

    // A web ACL for CloudFront has metrics without a Region dimension: with one, an alarm sees no data
    // and stays green. Figures are sent only when there is something to count.
    new cloudwatch.CfnAlarm(this, 'GuestLoginOverLimitAlarm', {
      alarmName: 'guest-login-over-limit',
      alarmDescription: 'Requests over the limit of guest-login were blocked within 5 minutes',
      namespace: 'AWS/WAFV2',
      metricName: 'BlockedRequests',
      dimensions: [
        {
          name: 'RuleGroup',
          value: 'guest-limits',
        },
        {
          name: 'Rule',
          value: 'guest-login',
        },
      ],
      statistic: 'Sum',
      period: 300,
      evaluationPeriods: 1,
      datapointsToAlarm: 1,
      comparisonOperator: 'GreaterThanThreshold',
      threshold: 0,
      treatMissingData: 'notBreaching',
      alarmActions: [
        'arn:aws:sns:us-east-1:123456789012:alerts',
      ],
      okActions: [
        'arn:aws:sns:us-east-1:123456789012:alerts',
      ],
    });

    new cloudwatch.CfnAlarm(this, 'GuestLoginLoadTestOverLimitAlarm', {
      alarmName: 'guest-login-load-test-over-limit',
      alarmDescription: 'Requests over the limit of guest-login-load-test were blocked within 5 minutes',
      namespace: 'AWS/WAFV2',
      metricName: 'BlockedRequests',
      dimensions: [
        {
          name: 'RuleGroup',
          value: 'guest-limits',
        },
        {
          name: 'Rule',
          value: 'guest-login-load-test',
        },
      ],
      statistic: 'Sum',
      period: 300,
      evaluationPeriods: 1,
      datapointsToAlarm: 1,
      comparisonOperator: 'GreaterThanThreshold',
      threshold: 0,
      treatMissingData: 'notBreaching',
      alarmActions: [
        'arn:aws:sns:us-east-1:123456789012:alerts',
      ],
      okActions: [
        'arn:aws:sns:us-east-1:123456789012:alerts',
      ],
    });

    new cloudwatch.CfnAlarm(this, 'GuestSearchOverLimitAlarm', {
      alarmName: 'guest-search-over-limit',
      alarmDescription: 'Requests over the limit of guest-search were counted within 5 minutes',
      namespace: 'AWS/WAFV2',
      metricName: 'CountedRequests',
      dimensions: [
        {
          name: 'RuleGroup',
          value: 'guest-limits',
        },
        {
          name: 'Rule',
          value: 'guest-search',
        },
      ],
      statistic: 'Sum',
      period: 300,
      evaluationPeriods: 1,
      datapointsToAlarm: 1,
      comparisonOperator: 'GreaterThanThreshold',
      threshold: 0,
      treatMissingData: 'notBreaching',
      alarmActions: [
        'arn:aws:sns:us-east-1:123456789012:alerts',
      ],
      okActions: [
        'arn:aws:sns:us-east-1:123456789012:alerts',
      ],
    });

    new cloudwatch.CfnAlarm(this, 'GuestSearchLoadTestOverLimitAlarm', {
      alarmName: 'guest-search-load-test-over-limit',
      alarmDescription: 'Requests over the limit of guest-search-load-test were counted within 5 minutes',
      namespace: 'AWS/WAFV2',
      metricName: 'CountedRequests',
      dimensions: [
        {
          name: 'RuleGroup',
          value: 'guest-limits',
        },
        {
          name: 'Rule',
          value: 'guest-search-load-test',
        },
      ],
      statistic: 'Sum',
      period: 300,
      evaluationPeriods: 1,
      datapointsToAlarm: 1,
      comparisonOperator: 'GreaterThanThreshold',
      threshold: 0,
      treatMissingData: 'notBreaching',
      alarmActions: [
        'arn:aws:sns:us-east-1:123456789012:alerts',
      ],
      okActions: [
        'arn:aws:sns:us-east-1:123456789012:alerts',
      ],
    });

    new cloudwatch.CfnAlarm(this, 'GuestReportOverLimitAlarm', {
      alarmName: 'guest-report-over-limit',
      alarmDescription: 'Requests over the limit of guest-report were blocked within 5 minutes',
      namespace: 'AWS/WAFV2',
      metricName: 'BlockedRequests',
      dimensions: [
        {
          name: 'RuleGroup',
          value: 'guest-limits-2',
        },
        {
          name: 'Rule',
          value: 'guest-report',
        },
      ],
      statistic: 'Sum',
      period: 300,
      evaluationPeriods: 1,
      datapointsToAlarm: 1,
      comparisonOperator: 'GreaterThanThreshold',
      threshold: 0,
      treatMissingData: 'notBreaching',
      alarmActions: [
        'arn:aws:sns:us-east-1:123456789012:alerts',
      ],
      okActions: [
        'arn:aws:sns:us-east-1:123456789012:alerts',
      ],
    });

    new cloudwatch.CfnDashboard(this, 'Dashboard', {
      dashboardName: 'guest-limits',
      dashboardBody: '{"widgets":[{"type":"metric","x":0,"y":0,"width":24,"height":6,"properties":{"title":"Blocked requests","region":"us-east-1","view":"timeSeries","stat":"Sum","period":60,"metrics":[["AWS/WAFV2","BlockedRequests","RuleGroup","guest-limits","Rule","guest-login",{"label":"guest-login"}],["AWS/WAFV2","BlockedRequests","RuleGroup","guest-limits","Rule","guest-login-load-test",{"label":"guest-login-load-test"}],["AWS/WAFV2","BlockedRequests","RuleGroup","guest-limits-2","Rule","guest-report",{"label":"guest-report"}]]}},{"type":"metric","x":0,"y":6,"width":24,"height":6,"properties":{"title":"Counted requests: over the limit of a rule that stops nobody","region":"us-east-1","view":"timeSeries","stat":"Sum","period":60,"metrics":[["AWS/WAFV2","CountedRequests","RuleGroup","guest-limits","Rule","guest-search",{"label":"guest-search"}],["AWS/WAFV2","CountedRequests","RuleGroup","guest-limits","Rule","guest-search-load-test",{"label":"guest-search-load-test"}]]}}]}',
    });

    this.guestLimitsRuleGroupArn = guestLimitsRuleGroup.attrArn;
    new cdk.CfnOutput(this, 'GuestLimitsRuleGroupArn', { description: 'The rule group, for rules that refer to it', value: guestLimitsRuleGroup.attrArn });
    this.guestLimits2RuleGroupArn = guestLimits2RuleGroup.attrArn;
    new cdk.CfnOutput(this, 'GuestLimits2RuleGroupArn', { description: 'The rule group, for rules that refer to it', value: guestLimits2RuleGroup.attrArn });
  }
}
