//! The service `tfplugin6.Provider`.

use std::convert::Infallible;
use std::net::TcpListener;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};

use prost::Message;
use tonic::body::Body;
use tonic::codegen::http;
use tonic::server::{Grpc, NamedService, UnaryService};
use tonic::{Request, Response, Status};
use tonic_prost::ProstCodec;

use super::behaviour::Behaviour;
use super::change;
use super::schema::{Block, Provider, Schema};
use super::validate::validate;
use super::value::Value;
use super::wire;

/// A provider that has a schema and no cloud behind it.
#[derive(Debug)]
pub struct Stub {
    pub provider: Provider,
    pub behaviour: Behaviour,
    /// The schema as it is sent, once somebody asked for it.
    sent: OnceLock<wire::Encoded>,
}

/// Serves a stub until the task is dropped. Has to be called inside a runtime.
pub async fn serve(stub: Arc<Stub>, listener: TcpListener) -> Result<(), String> {
    listener.set_nonblocking(true).map_err(|error| error.to_string())?;
    let listener =
        tokio::net::TcpListener::from_std(listener).map_err(|error| error.to_string())?;
    tonic::transport::Server::builder()
        .add_service(Service(stub))
        .serve_with_incoming(tokio_stream::wrappers::TcpListenerStream::new(listener))
        .await
        .map_err(|error| error.to_string())
}

#[derive(Clone)]
struct Service(Arc<Stub>);

impl NamedService for Service {
    const NAME: &'static str = "tfplugin6.Provider";
}

type Answer<T> = Pin<Box<dyn Future<Output = T> + Send>>;

impl tonic::codegen::Service<http::Request<Body>> for Service {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Answer<Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let stub = self.0.clone();
        let method = request.uri().path().rsplit('/').next().unwrap_or_default().to_owned();
        match method.as_str() {
            "GetProviderSchema" => unary(stub, request, |stub, _: wire::Nothing| {
                let encode = || wire::Encoded(stub.provider.to_wire().encode_to_vec());
                Ok(stub.sent.get_or_init(encode).clone())
            }),
            "ValidateProviderConfig" => {
                unary(stub, request, |_, _: wire::Nothing| Ok(wire::ProviderDiagnostics::default()))
            }
            "ConfigureProvider" => {
                unary(stub, request, |_, _: wire::Nothing| Ok(wire::Diagnostics::default()))
            }
            "ValidateResourceConfig" => unary(stub, request, Stub::validate),
            "ValidateDataResourceConfig" => {
                unary(stub, request, |_, _: wire::Configuration| Ok(wire::Diagnostics::default()))
            }
            "UpgradeResourceState" => unary(stub, request, Stub::upgrade),
            "ReadResource" => unary(stub, request, |_, request: wire::ReadRequest| {
                Ok(wire::State { state: request.current_state, diagnostics: Vec::new() })
            }),
            "PlanResourceChange" => unary(stub, request, Stub::plan),
            "ApplyResourceChange" => unary(stub, request, Stub::apply),
            "ReadDataSource" => unary(stub, request, Stub::read),
            "StopProvider" => {
                unary(stub, request, |_, _: wire::Nothing| Ok(wire::Stopped::default()))
            }
            _ => unary(stub, request, |_, _: wire::Nothing| {
                Err::<wire::Nothing, _>("not served by the stub".to_owned())
            }),
        }
    }
}

struct Call<Asked, Said>(Arc<Stub>, fn(&Stub, Asked) -> Result<Said, String>);

impl<Asked: Send + 'static, Said: Send + 'static> UnaryService<Asked> for Call<Asked, Said> {
    type Response = Said;
    type Future = Answer<Result<Response<Said>, Status>>;

    fn call(&mut self, request: Request<Asked>) -> Self::Future {
        let answer = (self.1)(&self.0, request.into_inner());
        Box::pin(async move { answer.map(Response::new).map_err(Status::unimplemented) })
    }
}

fn unary<Asked, Said>(
    stub: Arc<Stub>,
    request: http::Request<Body>,
    answer: fn(&Stub, Asked) -> Result<Said, String>,
) -> Answer<Result<http::Response<Body>, Infallible>>
where
    Asked: Message + Default + Send + 'static,
    Said: Message + Default + Send + 'static,
{
    Box::pin(async move {
        let mut grpc = Grpc::new(ProstCodec::<Said, Asked>::default());
        Ok(grpc.unary(Call(stub, answer), request).await)
    })
}

fn decode(value: Option<&wire::DynamicValue>) -> Result<Value, String> {
    value.map_or(Ok(Value::Null), |value| Value::decode(&value.msgpack))
}

fn encode(value: &Value) -> Option<wire::DynamicValue> {
    Some(wire::DynamicValue { msgpack: value.encode(), json: Vec::new() })
}

impl Stub {
    pub fn new(provider: Provider, behaviour: Behaviour) -> Self {
        Self { provider, behaviour, sent: OnceLock::new() }
    }

    fn resource(&self, kind: &str) -> Result<&Block, String> {
        let schema = self.provider.resource_schemas.get(kind);
        schema.map(|schema: &Schema| &schema.block).ok_or_else(|| format!("no resource {kind}"))
    }

    fn validate(&self, request: wire::Configuration) -> Result<wire::Diagnostics, String> {
        let block = self.resource(&request.type_name)?;
        let config = decode(request.config.as_ref())?;
        let diagnostics = validate(&self.behaviour, &request.type_name, block, &config);
        Ok(wire::Diagnostics { diagnostics })
    }

    fn upgrade(&self, request: wire::UpgradeRequest) -> Result<wire::State, String> {
        let block = self.resource(&request.type_name)?;
        let json = request.raw_state.unwrap_or_default().json;
        let json = serde_json::from_slice(&json).map_err(|error| error.to_string())?;
        let state = encode(&Value::from_json(&json).complete(block));
        Ok(wire::State { state, diagnostics: Vec::new() })
    }

    fn plan(&self, request: wire::ChangeRequest) -> Result<wire::PlanResponse, String> {
        let (kind, block) = (&request.type_name, self.resource(&request.type_name)?);
        let prior = decode(request.prior_state.as_ref())?;
        let proposed = decode(request.new_state.as_ref())?;
        let planned = change::plan(&self.behaviour, kind, block, &prior, &proposed);
        let replaced = change::replaced(&self.behaviour, kind, block, &prior, &planned);
        let path = |name: String| wire::AttributePath {
            steps: vec![wire::Step { selector: Some(wire::Selector::Attribute(name)) }],
        };
        Ok(wire::PlanResponse {
            planned_state: encode(&planned),
            requires_replace: replaced.into_iter().map(path).collect(),
            diagnostics: Vec::new(),
            legacy_type_system: true,
        })
    }

    fn apply(&self, request: wire::ChangeRequest) -> Result<wire::ApplyResponse, String> {
        let (kind, block) = (&request.type_name, self.resource(&request.type_name)?);
        let planned = decode(request.new_state.as_ref())?;
        let state = change::apply(&self.behaviour, kind, block, &planned);
        Ok(wire::ApplyResponse {
            new_state: encode(&state),
            diagnostics: Vec::new(),
            legacy_type_system: true,
        })
    }

    fn read(&self, request: wire::Configuration) -> Result<wire::State, String> {
        let kind = &request.type_name;
        let schema = self.provider.data_source_schemas.get(kind);
        let block = &schema.ok_or_else(|| format!("no data source {kind}"))?.block;
        let config = decode(request.config.as_ref())?;
        let state = encode(&change::read(&self.behaviour, kind, block, &config));
        Ok(wire::State { state, diagnostics: Vec::new() })
    }
}
