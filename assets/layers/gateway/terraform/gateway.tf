# Usage plans and API keys of one stage of a REST API. Values: gateway.auto.tfvars.json.
# They are targets and no walls, and a key is no login: see README.md.

terraform {
  required_version = ">= 1.9" # validations that look at another variable
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0"
    }
  }
}

provider "aws" {
  region = var.region
}

variable "region" {
  description = "Region of the REST API."
  type        = string
}

variable "name" {
  description = "Prefix of plans and keys."
  type        = string
}

variable "rest_api_id" {
  description = "The REST API, which lives elsewhere."
  type        = string
}

variable "stage_name" {
  description = "The deployed stage that plans and throttles apply to."
  type        = string
}

variable "stage" {
  description = "All clients together: requests per second and burst, for every method and for single ones (`orders/POST`). null: what the account has."
  default     = null
  type = object({
    rate  = number
    burst = number
    routes = optional(map(object({
      rate  = number
      burst = number
    })), {})
  })
  validation {
    condition     = try(alltrue([for path in keys(var.stage.routes) : can(regex("^[^/].*/(ANY|DELETE|GET|HEAD|OPTIONS|PATCH|POST|PUT)$", path))]), var.stage == null)
    error_message = "A route of the stage is written without a leading slash and with its method: orders/POST."
  }
}

variable "plans" {
  description = "Each key of a plan: requests per second, burst, quota, and the same for single methods (`/orders/POST`)."
  type = map(object({
    rate  = number
    burst = number
    quota = optional(object({
      limit  = number
      period = string
    }))
    routes = optional(map(object({
      rate  = number
      burst = number
    })), {})
  }))
  validation {
    condition     = alltrue([for plan in values(var.plans) : plan.rate > 0 && plan.burst >= 1])
    error_message = "A rate above 0 and a burst of 1 or more: with 0 nobody gets through."
  }
  validation {
    condition     = alltrue([for plan in values(var.plans) : try(contains(["DAY", "WEEK", "MONTH"], plan.quota.period), plan.quota == null)])
    error_message = "The period of a quota is DAY, WEEK or MONTH."
  }
  validation {
    condition     = alltrue(flatten([for plan in values(var.plans) : [for path in keys(plan.routes) : can(regex("^/.*/(ANY|DELETE|GET|HEAD|OPTIONS|PATCH|POST|PUT)$", path))]]))
    error_message = "A route of a plan is written with a leading slash and its method: /orders/POST."
  }
}

variable "keys" {
  description = "Clients and the plan of each. API Gateway makes the values."
  type = map(object({
    plan    = string
    enabled = optional(bool, true)
  }))
  validation {
    condition     = alltrue([for key in values(var.keys) : contains(keys(var.plans), key.plan)])
    error_message = "A key names a plan that is not there."
  }
}

# What all clients together may send: protects the backend, whatever the plans add up to.
resource "aws_api_gateway_method_settings" "all" {
  count = var.stage == null ? 0 : 1

  rest_api_id = var.rest_api_id
  stage_name  = var.stage_name
  method_path = "*/*"

  settings {
    throttling_rate_limit  = var.stage.rate
    throttling_burst_limit = var.stage.burst
    metrics_enabled        = true
  }
}

resource "aws_api_gateway_method_settings" "route" {
  for_each = var.stage == null ? {} : var.stage.routes

  rest_api_id = var.rest_api_id
  stage_name  = var.stage_name
  method_path = each.key

  settings {
    throttling_rate_limit  = each.value.rate
    throttling_burst_limit = each.value.burst
    metrics_enabled        = true
  }
}

resource "aws_api_gateway_usage_plan" "plan" {
  for_each = var.plans

  name        = "${var.name}-${each.key}"
  description = "${each.value.rate} requests a second, burst ${each.value.burst}, for each key"

  api_stages {
    api_id = var.rest_api_id
    stage  = var.stage_name

    dynamic "throttle" {
      for_each = each.value.routes
      content {
        path        = throttle.key
        rate_limit  = throttle.value.rate
        burst_limit = throttle.value.burst
      }
    }
  }

  throttle_settings {
    rate_limit  = each.value.rate
    burst_limit = each.value.burst
  }

  dynamic "quota_settings" {
    for_each = each.value.quota[*]
    content {
      limit  = quota_settings.value.limit
      period = quota_settings.value.period
    }
  }
}

resource "aws_api_gateway_api_key" "client" {
  for_each = var.keys

  name    = "${var.name}-${each.key}"
  enabled = each.value.enabled
}

resource "aws_api_gateway_usage_plan_key" "client" {
  for_each = var.keys

  key_id        = aws_api_gateway_api_key.client[each.key].id
  key_type      = "API_KEY"
  usage_plan_id = aws_api_gateway_usage_plan.plan[each.value.plan].id
}

output "usage_plans" {
  value = { for name, plan in aws_api_gateway_usage_plan.plan : name => plan.id }
}

output "key_ids" {
  description = "For `aws apigateway get-api-key --include-value`: values are in the state, but not in the output."
  value       = { for name, key in aws_api_gateway_api_key.client : name => key.id }
}
