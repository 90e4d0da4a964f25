// Rate limits of the web ACL api-acl in eu-central-1.
// Policy: ratewaf.yaml
// Evidence: 114,144 log lines from 8 Sep 2026 to 14 Sep 2026, fingerprint 13c34bc40acce337
// Written by ratewaf emit: change the policy and emit again, not this file.
// To compare the two: ratewaf emit --format cdk --check out/
// Deploy it in eu-central-1.
//
// Uses 3 of 10 rate-based rules and about 236 of 5,000 WCU (an estimate; AWS decides).
// Costs 8.00 USD a month for the web ACL and its rules, and 0.60 USD per million requests to what
// it stands before (pay as you go, prices of 2026-06-01).
// With as many requests as the logs hold (114,144 in 168 hours): about 8.29 USD a month.
//
// Please note:
// - Route `login`: pinned 30; the lock has no figures for the route.
// - Route `search`: pinned 300; the lock has no figures for the route.
// - Route `search`: no rule counts the tester network `load-test`, because it has no twin here.
// - Route `login`: a request without the header x-real-ip is not counted at all; let nothing but
// your proxy reach it.
// - Route `search`: a request without the header x-real-ip is not counted at all; let nothing but
// your proxy reach it.
import * as cdk from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as sns from 'aws-cdk-lib/aws-sns';
import * as wafv2 from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

// Rate limits of the web ACL api-acl
export class RateLimits extends Construct {
  // The web ACL api-acl
  public readonly webAclArn: string;
  // The SNS topic of the rate-limit alarms
  public readonly alarmTopicArn: string;

  constructor(scope: Construct, id: string) {
    super(scope, id);

    // load-test (tester), not counted by api-login, api-search, counted alone by api-login-load-test
    const apiLoadTestV4IpSet = new wafv2.CfnIPSet(this, 'ApiLoadTestV4IpSet', {
      name: 'api-load-test-v4',
      scope: 'REGIONAL',
      ipAddressVersion: 'IPV4',
      addresses: [
        '192.0.2.0/28',
      ],
    });

    const apiLoadTestV6IpSet = new wafv2.CfnIPSet(this, 'ApiLoadTestV6IpSet', {
      name: 'api-load-test-v6',
      scope: 'REGIONAL',
      ipAddressVersion: 'IPV6',
      addresses: [
        '2001:db8:9::/64',
      ],
    });

    const webAcl = new wafv2.CfnWebACL(this, 'WebAcl', {
      name: 'api-acl',
      scope: 'REGIONAL',
      defaultAction: {
        allow: {},
      },
      description: 'Rate limits, written by ratewaf emit',
      rules: [
        // api-login: POST /login, everybody but load-test, by forwarded address
        {
          name: 'api-login',
          priority: 10,
          statement: {
            rateBasedStatement: {
              // Pinned in the policy: 30 requests per 300 s.
              // The lock has no figures for this route.
              limit: 30,
              evaluationWindowSec: 300,
              aggregateKeyType: 'FORWARDED_IP',
              forwardedIpConfig: {
                headerName: 'x-real-ip',
                fallbackBehavior: 'NO_MATCH',
              },
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
                            arn: apiLoadTestV4IpSet.attrArn,
                            ipSetForwardedIpConfig: {
                              headerName: 'x-real-ip',
                              fallbackBehavior: 'NO_MATCH',
                              position: 'FIRST',
                            },
                          },
                        },
                      },
                    },
                    {
                      notStatement: {
                        statement: {
                          ipSetReferenceStatement: {
                            arn: apiLoadTestV6IpSet.attrArn,
                            ipSetForwardedIpConfig: {
                              headerName: 'x-real-ip',
                              fallbackBehavior: 'NO_MATCH',
                              position: 'FIRST',
                            },
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
              customResponse: {
                responseCode: 429,
                customResponseBodyKey: 'api-limited',
                responseHeaders: [
                  {
                    name: 'Retry-After',
                    value: '300',
                  },
                ],
              },
            },
          },
          visibilityConfig: {
            sampledRequestsEnabled: true,
            cloudWatchMetricsEnabled: true,
            metricName: 'api-login',
          },
        },
        // api-login-load-test: POST /login, load-test only, by forwarded address
        {
          name: 'api-login-load-test',
          priority: 20,
          statement: {
            rateBasedStatement: {
              // Counts the network `load-test` only. 300 (1 per second): 10x the main limit 30.
              // The logs were read without this network, so its peak is not known.
              limit: 300,
              evaluationWindowSec: 300,
              aggregateKeyType: 'FORWARDED_IP',
              forwardedIpConfig: {
                headerName: 'x-real-ip',
                fallbackBehavior: 'NO_MATCH',
              },
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
                      orStatement: {
                        statements: [
                          {
                            ipSetReferenceStatement: {
                              arn: apiLoadTestV4IpSet.attrArn,
                              ipSetForwardedIpConfig: {
                                headerName: 'x-real-ip',
                                fallbackBehavior: 'NO_MATCH',
                                position: 'FIRST',
                              },
                            },
                          },
                          {
                            ipSetReferenceStatement: {
                              arn: apiLoadTestV6IpSet.attrArn,
                              ipSetForwardedIpConfig: {
                                headerName: 'x-real-ip',
                                fallbackBehavior: 'NO_MATCH',
                                position: 'FIRST',
                              },
                            },
                          },
                        ],
                      },
                    },
                  ],
                },
              },
            },
          },
          action: {
            block: {
              customResponse: {
                responseCode: 429,
                customResponseBodyKey: 'api-limited',
                responseHeaders: [
                  {
                    name: 'Retry-After',
                    value: '300',
                  },
                ],
              },
            },
          },
          visibilityConfig: {
            sampledRequestsEnabled: true,
            cloudWatchMetricsEnabled: true,
            metricName: 'api-login-load-test',
          },
        },
        // api-search: /search*, everybody but load-test, by forwarded address and path
        {
          name: 'api-search',
          priority: 30,
          statement: {
            rateBasedStatement: {
              // Pinned in the policy: 300 requests per 300 s.
              // The lock has no figures for this route.
              limit: 300,
              evaluationWindowSec: 300,
              aggregateKeyType: 'CUSTOM_KEYS',
              customKeys: [
                {
                  forwardedIp: {},
                },
                {
                  uriPath: {
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
                  },
                },
              ],
              forwardedIpConfig: {
                headerName: 'x-real-ip',
                fallbackBehavior: 'NO_MATCH',
              },
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
                            arn: apiLoadTestV4IpSet.attrArn,
                            ipSetForwardedIpConfig: {
                              headerName: 'x-real-ip',
                              fallbackBehavior: 'NO_MATCH',
                              position: 'FIRST',
                            },
                          },
                        },
                      },
                    },
                    {
                      notStatement: {
                        statement: {
                          ipSetReferenceStatement: {
                            arn: apiLoadTestV6IpSet.attrArn,
                            ipSetForwardedIpConfig: {
                              headerName: 'x-real-ip',
                              fallbackBehavior: 'NO_MATCH',
                              position: 'FIRST',
                            },
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
              customResponse: {
                responseCode: 429,
                customResponseBodyKey: 'api-limited',
                responseHeaders: [
                  {
                    name: 'Retry-After',
                    value: '300',
                  },
                ],
              },
            },
          },
          visibilityConfig: {
            sampledRequestsEnabled: true,
            cloudWatchMetricsEnabled: true,
            metricName: 'api-search',
          },
        },
      ],
      visibilityConfig: {
        sampledRequestsEnabled: true,
        cloudWatchMetricsEnabled: true,
        metricName: 'api-acl',
      },
      customResponseBodies: {
        'api-limited': {
          contentType: 'APPLICATION_JSON',
          content: '{"error":"too_many_requests","message":"Rate limit exceeded. Try again later."}',
        },
      },
    });

    new wafv2.CfnWebACLAssociation(this, 'ApiAclLoadBalancer1Association', {
      resourceArn: 'arn:aws:elasticloadbalancing:eu-central-1:123456789012:loadbalancer/app/api/50dc6c495c0c9188',
      webAclArn: webAcl.attrArn,
    });

    new wafv2.CfnWebACLAssociation(this, 'ApiAclApi2Association', {
      resourceArn: 'arn:aws:apigateway:eu-central-1::/restapis/a1b2c3d4e5/stages/prod',
      webAclArn: webAcl.attrArn,
    });

    new wafv2.CfnLoggingConfiguration(this, 'WafLogging', {
      resourceArn: webAcl.attrArn,
      logDestinationConfigs: [
        `arn:${cdk.Aws.PARTITION}:firehose:${cdk.Aws.REGION}:${cdk.Aws.ACCOUNT_ID}:deliverystream/aws-waf-logs-api`,
      ],
      redactedFields: [
        {
          queryString: {},
        },
        {
          singleHeader: {
            Name: 'authorization',
          },
        },
      ],
    });

    // Subscribe to it where you keep subscriptions; it has none of its own.
    const alarmTopic = new sns.CfnTopic(this, 'AlarmTopic', {
      topicName: 'api-alarms',
    });

    new sns.CfnTopicPolicy(this, 'AlarmTopicPolicy', {
      topics: [
        alarmTopic.ref,
      ],
      policyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Sid: 'CloudWatchAlarmsOfThisAccount',
            Effect: 'Allow',
            Principal: {
              Service: 'cloudwatch.amazonaws.com',
            },
            Action: 'sns:Publish',
            Resource: alarmTopic.ref,
            Condition: {
              StringEquals: {
                'aws:SourceAccount': cdk.Aws.ACCOUNT_ID,
              },
            },
          },
        ],
      },
    });

    // A regional web ACL has metrics with a Region dimension: without it, an alarm sees no data and
    // stays green. Figures are sent only when there is something to count.
    new cloudwatch.CfnAlarm(this, 'ApiLoginOverLimitAlarm', {
      alarmName: 'api-login-over-limit',
      alarmDescription: 'More than 10 requests over the limit of api-login were blocked within 5 minutes',
      namespace: 'AWS/WAFV2',
      metricName: 'BlockedRequests',
      dimensions: [
        {
          name: 'WebACL',
          value: 'api-acl',
        },
        {
          name: 'Region',
          value: 'eu-central-1',
        },
        {
          name: 'Rule',
          value: 'api-login',
        },
      ],
      statistic: 'Sum',
      period: 300,
      evaluationPeriods: 1,
      datapointsToAlarm: 1,
      comparisonOperator: 'GreaterThanThreshold',
      threshold: 10,
      treatMissingData: 'notBreaching',
      alarmActions: [
        alarmTopic.ref,
      ],
      okActions: [
        alarmTopic.ref,
      ],
    });

    new cloudwatch.CfnAlarm(this, 'ApiLoginLoadTestOverLimitAlarm', {
      alarmName: 'api-login-load-test-over-limit',
      alarmDescription: 'More than 10 requests over the limit of api-login-load-test were blocked within 5 minutes',
      namespace: 'AWS/WAFV2',
      metricName: 'BlockedRequests',
      dimensions: [
        {
          name: 'WebACL',
          value: 'api-acl',
        },
        {
          name: 'Region',
          value: 'eu-central-1',
        },
        {
          name: 'Rule',
          value: 'api-login-load-test',
        },
      ],
      statistic: 'Sum',
      period: 300,
      evaluationPeriods: 1,
      datapointsToAlarm: 1,
      comparisonOperator: 'GreaterThanThreshold',
      threshold: 10,
      treatMissingData: 'notBreaching',
      alarmActions: [
        alarmTopic.ref,
      ],
      okActions: [
        alarmTopic.ref,
      ],
    });

    new cloudwatch.CfnAlarm(this, 'ApiSearchOverLimitAlarm', {
      alarmName: 'api-search-over-limit',
      alarmDescription: 'More than 10 requests over the limit of api-search were blocked within 5 minutes',
      namespace: 'AWS/WAFV2',
      metricName: 'BlockedRequests',
      dimensions: [
        {
          name: 'WebACL',
          value: 'api-acl',
        },
        {
          name: 'Region',
          value: 'eu-central-1',
        },
        {
          name: 'Rule',
          value: 'api-search',
        },
      ],
      statistic: 'Sum',
      period: 300,
      evaluationPeriods: 1,
      datapointsToAlarm: 1,
      comparisonOperator: 'GreaterThanThreshold',
      threshold: 10,
      treatMissingData: 'notBreaching',
      alarmActions: [
        alarmTopic.ref,
      ],
      okActions: [
        alarmTopic.ref,
      ],
    });

    new cloudwatch.CfnDashboard(this, 'Dashboard', {
      dashboardName: 'api-limits',
      dashboardBody: '{"widgets":[{"type":"metric","x":0,"y":0,"width":24,"height":6,"properties":{"title":"Blocked requests","region":"eu-central-1","view":"timeSeries","stat":"Sum","period":60,"metrics":[["AWS/WAFV2","BlockedRequests","WebACL","api-acl","Region","eu-central-1","Rule","api-login",{"label":"api-login"}],["AWS/WAFV2","BlockedRequests","WebACL","api-acl","Region","eu-central-1","Rule","api-login-load-test",{"label":"api-login-load-test"}],["AWS/WAFV2","BlockedRequests","WebACL","api-acl","Region","eu-central-1","Rule","api-search",{"label":"api-search"}]]}}]}',
    });

    this.webAclArn = webAcl.attrArn;
    new cdk.CfnOutput(this, 'WebAclArn', { description: 'The web ACL api-acl', value: webAcl.attrArn });
    this.alarmTopicArn = alarmTopic.ref;
    new cdk.CfnOutput(this, 'AlarmTopicArn', { description: 'The SNS topic of the rate-limit alarms', value: alarmTopic.ref });
  }
}
