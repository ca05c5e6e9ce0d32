"""authlib as authorization server and as the guard of an API; refresh tokens are replaced at each use.

    /authorize    the page of a browser, whose person consents at once
    /token        the token endpoint; after /lose, the next answer is lost on its way
    /device       the device endpoint; /approve?user_code=… is what the person does elsewhere
    /api          needs a token with the scope `read`, and shows it; /revoke refuses all access tokens from then on
    /seen         the grants of all token requests
"""

import os
import secrets
import socket
import time

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"  # plain HTTP, on the loopback only

from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector, current_token
from authlib.oauth2.rfc6749 import ClientMixin, TokenMixin, grants, scope_to_list
from authlib.oauth2.rfc6750 import BearerTokenValidator
from authlib.oauth2.rfc6749.errors import InvalidRequestError
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc8628 import DeviceAuthorizationEndpoint, DeviceCodeGrant, DeviceCredentialDict
from flask import Flask, jsonify, request
from werkzeug.serving import make_server

import serving


class Client(ClientMixin):
    def __init__(self, id, secret, method, grant_types):
        self.client_id, self.secret, self.method, self.grant_types = id, secret, method, grant_types

    def get_client_id(self):
        return self.client_id

    def get_default_redirect_uri(self):
        return None

    def get_allowed_scope(self, scope):
        return " ".join(name for name in scope_to_list(scope or "") if name in ("read", "write"))

    def check_redirect_uri(self, uri):
        return uri == "app:/signed-in"

    def check_client_secret(self, secret):
        return secrets.compare_digest(self.secret.encode(), secret.encode())

    def check_endpoint_auth_method(self, method, endpoint):
        return method == self.method

    def check_response_type(self, response_type):
        return response_type == "code"

    def check_grant_type(self, grant_type):
        return grant_type in self.grant_types


class Token(TokenMixin):
    def __init__(self, client, fields):
        self.client, self.fields = client, fields
        self.end, self.revoked, self.replaced = time.time() + fields["expires_in"], False, False

    def check_client(self, client):
        return client is self.client

    def get_scope(self):
        return self.fields.get("scope", "")

    def is_expired(self):
        return time.time() >= self.end

    def is_revoked(self):
        return self.revoked


class Code:
    def __init__(self, client, payload):
        self.client, self.redirect_uri, self.scope = client, payload.redirect_uri, payload.scope
        self.code_challenge = payload.data.get("code_challenge")
        self.code_challenge_method = payload.data.get("code_challenge_method")

    def get_redirect_uri(self):
        return self.redirect_uri

    def get_scope(self):
        return self.scope


EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"
ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token"

clients = {client.client_id: client for client in [
    Client("service", "s: é+&%/~", "client_secret_basic", ["client_credentials", EXCHANGE]),
    Client("form", "s: é+&%/~", "client_secret_post", ["client_credentials"]),
    Client("app", "", "none", ["authorization_code", "refresh_token", DeviceCodeGrant.GRANT_TYPE]),
]}
tokens, codes, seen, losses, devices, approved = [], {}, [], [], {}, set()


class CodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none"]

    def generate_authorization_code(self):
        return secrets.token_urlsafe()

    def save_authorization_code(self, code, request):
        codes[code] = Code(request.client, request.payload)

    def query_authorization_code(self, code, client):
        return codes[code] if code in codes and codes[code].client is client else None

    def delete_authorization_code(self, code):
        for name in [name for name, each in codes.items() if each is code]:
            del codes[name]

    def authenticate_user(self, code):
        return "ada"


class RefreshGrant(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none"]
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, text):
        current = (token for token in tokens if not token.replaced)
        return next((token for token in current if token.fields.get("refresh_token") == text), None)

    def authenticate_user(self, token):
        return "ada"

    def revoke_old_credential(self, token):
        token.replaced = token.revoked = True


class ServiceGrant(grants.ClientCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post"]


class DeviceEndpoint(DeviceAuthorizationEndpoint):
    def get_verification_uri(self):
        return "https://id.example.com/device"

    def save_device_credential(self, client_id, scope, data):
        end = time.time() + data["expires_in"]
        devices[data["device_code"]] = DeviceCredentialDict(data, client_id=client_id, scope=scope, expires_at=end)


class DeviceGrant(DeviceCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none"]

    def query_device_credential(self, device_code):
        return devices.get(device_code)

    def query_user_grant(self, user_code):
        return ("ada", True) if user_code in approved else None

    def should_slow_down(self, credential):
        credential["polls"] = credential.get("polls", 0) + 1
        return credential["polls"] > 1


class ExchangeGrant(grants.BaseGrant, grants.TokenEndpointMixin):
    """RFC 8693, which authlib doesn't have: only the scope of the token is exchanged."""

    GRANT_TYPE = EXCHANGE
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic"]

    def validate_token_request(self):
        self.request.client = self.authenticate_token_endpoint_client()
        form = self.request.payload.data
        subject = Validator().authenticate_token(form.get("subject_token"))
        if subject is None or form.get("subject_token_type") != ACCESS_TOKEN:
            raise InvalidRequestError("the subject token is unknown")

    def create_token_response(self):
        token = self.generate_token(scope="read", include_refresh_token=False)
        self.save_token(token)
        return 200, {**token, "issued_token_type": ACCESS_TOKEN}, self.TOKEN_RESPONSE_HEADER


class Validator(BearerTokenValidator):
    def authenticate_token(self, text):
        return next((token for token in tokens if token.fields["access_token"] == text), None)


app = Flask(__name__)
app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True
server = AuthorizationServer(app, clients.get, lambda fields, request: tokens.append(Token(request.client, fields)))
server.register_grant(ServiceGrant)
server.register_grant(CodeGrant, [CodeChallenge(required=True)])
server.register_grant(RefreshGrant)
server.register_grant(DeviceGrant)
server.register_grant(ExchangeGrant)
server.register_endpoint(DeviceEndpoint)
guard = ResourceProtector()
guard.register_token_validator(Validator())


@app.get("/authorize")
def authorize():
    return server.create_authorization_response(grant_user="ada", grant=server.get_consent_grant(end_user="ada"))


@app.post("/token")
def token():
    seen.append(request.form.get("grant_type"))
    answer = server.create_token_response()
    if losses:
        losses.pop()
        request.environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
    return answer


@app.post("/device")
def device():
    return server.create_endpoint_response(DeviceEndpoint.ENDPOINT_NAME)


@app.get("/approve")
def approve():
    approved.add(request.args["user_code"])
    return ""


@app.get("/lose")
def lose():
    losses.append(True)
    return ""


@app.get("/api")
@guard("read")
def api():
    return jsonify(client=current_token.client.client_id, scope=current_token.get_scope())


@app.get("/revoke")
def revoke():
    for each in tokens:
        each.revoked = True
    return ""


@app.get("/seen")
def show():
    return jsonify(seen)


serving.end_with_input()
listener = make_server("127.0.0.1", 0, app, threaded=True)
serving.listening(listener.port)
listener.serve_forever()
