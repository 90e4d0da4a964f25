// The way around CloudFront, closed: CloudFront adds x-origin-verify to what it sends to the
// origin, and this web ACL blocks requests for the limited routes that come without it.
// It is a web ACL of its own because a secret in one rule hides all rules of its web ACL in a
// plan. The secret stands in clear in the state and in saved plans: keep both like the secret.
// The paths are those that clients send. If the distribution has an origin path, or a function
// that rewrites paths, the API gets others, and these rules do not match.
// Costs 7.00 USD a month for the web ACL with 2 rules, and 0.60 USD for a million requests to the
// API.
// Deploy it in eu-central-1.
import * as cdk from 'aws-cdk-lib';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import * as wafv2 from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

// The way around CloudFront closed, for acl
export class OriginGuard extends Construct {
  // The header that CloudFront adds for the origin
  public readonly guardHeader: string;
  // Where the value of that header lies
  public readonly guardSecretArn: string;

  constructor(scope: Construct, id: string) {
    super(scope, id);

    // CloudFormation cannot make an SSM SecureString, so this secret lies in Secrets Manager.
    // Exchanging it: see docs/cloudformation.md.
    const aclOriginSecret = new secretsmanager.CfnSecret(this, 'AclOriginSecret', {
      name: '/acl/origin-secret',
      description: 'What CloudFront sends in x-origin-verify to the origin',
      generateSecretString: {
        passwordLength: 44,
        excludePunctuation: true,
      },
    });
    aclOriginSecret.applyRemovalPolicy(cdk.RemovalPolicy.RETAIN);

    const guardWebAcl = new wafv2.CfnWebACL(this, 'GuardWebAcl', {
      name: 'acl-origin',
      scope: 'REGIONAL',
      defaultAction: {
        allow: {},
      },
      description: 'Demands the secret of CloudFront, written by ratewaf emit',
      rules: [
        {
          name: 'acl-token-guard',
          priority: 10,
          statement: {
            andStatement: {
              statements: [
                {
                  orStatement: {
                    statements: [
                      {
                        byteMatchStatement: {
                          searchString: '/api/v1/token',
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
                          searchString: '/api/v1/token/',
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
                    searchString: 'GET',
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
                      byteMatchStatement: {
                        searchString: `{{resolve:secretsmanager:${aclOriginSecret.ref}:SecretString}}`,
                        fieldToMatch: {
                          singleHeader: {
                            Name: 'x-origin-verify',
                          },
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
                  },
                },
              ],
            },
          },
          action: {
            block: {},
          },
          visibilityConfig: {
            sampledRequestsEnabled: true,
            cloudWatchMetricsEnabled: true,
            metricName: 'acl-token-guard',
          },
        },
        {
          name: 'acl-search-guard',
          priority: 20,
          statement: {
            andStatement: {
              statements: [
                {
                  byteMatchStatement: {
                    searchString: '/api/v2/search',
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
                  orStatement: {
                    statements: [
                      {
                        byteMatchStatement: {
                          searchString: 'GET',
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
                        byteMatchStatement: {
                          searchString: 'HEAD',
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
                    ],
                  },
                },
                {
                  notStatement: {
                    statement: {
                      byteMatchStatement: {
                        searchString: `{{resolve:secretsmanager:${aclOriginSecret.ref}:SecretString}}`,
                        fieldToMatch: {
                          singleHeader: {
                            Name: 'x-origin-verify',
                          },
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
                  },
                },
              ],
            },
          },
          action: {
            block: {},
          },
          visibilityConfig: {
            sampledRequestsEnabled: true,
            cloudWatchMetricsEnabled: true,
            metricName: 'acl-search-guard',
          },
        },
      ],
      visibilityConfig: {
        sampledRequestsEnabled: true,
        cloudWatchMetricsEnabled: true,
        metricName: 'acl-origin',
      },
    });

    new wafv2.CfnWebACLAssociation(this, 'AclOriginLoadBalancer1Association', {
      resourceArn: 'arn:aws:elasticloadbalancing:eu-central-1:123456789012:loadbalancer/app/api/50dc6c495c0c9188',
      webAclArn: guardWebAcl.attrArn,
    });

    this.guardHeader = 'x-origin-verify';
    new cdk.CfnOutput(this, 'GuardHeader', { description: 'The header that CloudFront adds for the origin', value: 'x-origin-verify' });
    this.guardSecretArn = aclOriginSecret.ref;
    new cdk.CfnOutput(this, 'GuardSecretArn', { description: 'Where the value of that header lies', value: aclOriginSecret.ref });
  }
}
