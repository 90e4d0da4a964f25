# Rate limits of the web ACL prod in front of CloudFront.
# Written by ratewaf emit: change the policy and emit again, not this file. See waf.tf.

# acl-token: GET /api/v1/token, everybody but qa-runner
# 300 requests per 300 s (1 per second): 1.60x above the busiest normal client (187), 1.56x below
# the weakest abusive one (468)
# Grade clear; 8,921 clients and 104,806 requests, 2026-09-08 to 2026-09-14.
# Peaks in any 300 s: half of the clients at most 3, 90 % 9, 99 % 22, largest 7,383.
# The gap: busiest client below it 187, weakest above it 468; headroom 1.60x, margin 1.56x; 11
# clients above it; clients above the proposed limit sent 36 % of the requests.
# Peaks just below the proposed limit: 187, 128, 103, 99, 88.
# Peaks just above the proposed limit: 468, 512, 640, 905, 1,180.
# Warning all-day: 1 client (address withheld) called in at least 90 % of the 168 hours and stayed
# under the limit, with up to 16,036 requests: listed without a claim, but a limit on peaks does not
# see slow machines.
variable "acl_token_limit" {
  description = "acl-token: Requests of one client per window"
  type        = number
  default     = 300
}

variable "acl_token_window" {
  description = "acl-token: Seconds: 60, 120, 300 or 600"
  type        = number
  default     = 300
}

# acl-token-qa-runner: GET /api/v1/token, qa-runner only
# Counts the network `qa-runner` only. 3,000 (10 per second): 10x the main limit 300.
# It does not occur in the logs of this route.
variable "acl_token_qa_runner_limit" {
  description = "acl-token-qa-runner: Requests of one client per window"
  type        = number
  default     = 3000
}

variable "acl_token_qa_runner_window" {
  description = "acl-token-qa-runner: Seconds: 60, 120, 300 or 600"
  type        = number
  default     = 300
}

# acl-search: GET,HEAD /api/v2/search*, everybody but qa-runner
# Pinned in the policy: 600 requests per 300 s. The logs propose no limit.
# Grade none; 0 clients and 0 requests, 2026-09-08 to 2026-09-14.
# Peaks in any 300 s: half of the clients at most 0, 90 % 0, 99 % 0, largest 0.
variable "acl_search_limit" {
  description = "acl-search: Requests of one client per window"
  type        = number
  default     = 600
}

variable "acl_search_window" {
  description = "acl-search: Seconds: 60, 120, 300 or 600"
  type        = number
  default     = 300
}

# acl-search-qa-runner: GET,HEAD /api/v2/search*, qa-runner only
# Counts the network `qa-runner` only. 6,000 (20 per second): 10x the main limit 600.
# It does not occur in the logs of this route.
variable "acl_search_qa_runner_limit" {
  description = "acl-search-qa-runner: Requests of one client per window"
  type        = number
  default     = 6000
}

variable "acl_search_qa_runner_window" {
  description = "acl-search-qa-runner: Seconds: 60, 120, 300 or 600"
  type        = number
  default     = 300
}

variable "acl_tags" {
  description = "Tags of everything that can have some"
  type        = map(string)
  default     = {}
}
