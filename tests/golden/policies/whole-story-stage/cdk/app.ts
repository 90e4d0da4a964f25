// Deploys what ratewaf emit wrote beside it. In an app of your own, take the constructs alone.
import * as cdk from 'aws-cdk-lib';
import { RateLimits } from './rate-limits';

const app = new cdk.App();

const rateLimits = new cdk.Stack(app, 'acl-stage-rate-limits', {
  description: 'Rate limits of the web ACL stage',
  // The account is that of the credentials.
  env: { region: 'us-east-1' },
});
new RateLimits(rateLimits, 'RateLimits');
