"""Uses the Python client as an integrator does; the test that starts it reads the JSON line that it prints."""

import asyncio
import hashlib
import hmac
import json
import os
import socket
import sys
import threading
import time

import demarc
from demarc import AsyncDemarc, Demarc, async_entries, entries, verify_webhook

number = sys.argv[1]
found = {}

with Demarc() as client:
    attached = client.numbers.attach(
        {
            "phone_numbers": [number],
            "directions": [{"type": "outbound", "sip_endpoint": "sip:pbx.example.com:5061;transport=tls"}],
            "service": "sip",
        }
    )
    found["configured"] = attached["data"]["configured"]
    for index in range(5):
        client.personas.create({"name": f"Persona {index}"}, idempotency_key=f"persona-{index}")
    repeated = client.create_persona({"name": "Persona 0"}, idempotency_key="persona-0")
    found["repeated"] = repeated["data"]["name"]
    pages = entries(lambda after: client.personas.list(limit=2, after=after))
    found["personas"] = sorted(persona["name"] for persona in pages)
    try:
        client.personas.create({"name": ""})
    except demarc.InvalidRequestError as error:
        found["invalid"] = [error.status, error.code, error.at("name") is not None, error.request_id is not None]
    try:
        client.calls.get("00000000-0000-4000-8000-000000000000")
    except demarc.NotFoundError as error:
        found["missing"] = error.code
    try:
        Demarc(api_key="sk_wrong").usage.get()
    except demarc.AuthenticationError as error:
        found["refused"] = error.status
    found["csv"] = client.call_records.export().text.split(",")[0]
    found["from"] = client.call_records.list(from_="+14155550199", metadata={"campaign": "spring"})["data"]["calls"]

    first = next(iter(client.events()))
    found["event"] = first.event


async def asynchronously() -> None:
    async with AsyncDemarc() as client:
        pages = async_entries(lambda after: client.personas.list(limit=2, after=after))
        found["asynchronous"] = len([persona async for persona in pages])
        async for event in client.events():
            found["asynchronous_event"] = event.event
            break


asyncio.run(asynchronously())

# A service that accepts connections and stays silent.
silent = socket.create_server(("127.0.0.1", 0))
url = f"http://127.0.0.1:{silent.getsockname()[1]}"
try:
    Demarc(url, "key", timeout_seconds=0.3, retries=0).usage.get()
except demarc.ConnectionError as error:
    found["silent"] = error.code


def answer_once(content: bytes) -> None:
    connection, _ = silent.accept()
    connection.recv(65536)
    connection.sendall(content)
    connection.close()


def answers() -> None:
    silent.accept()[0].close()
    busy = json.dumps({"data": None, "errors": [{"error": "IDEMPOTENCY_KEY_IN_USE", "message": "In progress"}]})
    head = "HTTP/1.1 409 Conflict\r\nretry-after: 0\r\nconnection: close\r\n"
    answer_once(f"{head}content-length: {len(busy)}\r\n\r\n{busy}".encode())
    good = json.dumps({"call_id": "one"})
    answer_once(f"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {len(good)}\r\n\r\n{good}".encode())


# The connection of the time limit above is still in the queue.
silent.accept()[0].close()
threading.Thread(target=answers, daemon=True).start()
order = Demarc(url, "key").calls.create({"phone_number": "+1", "from": "+2", "task": "Hello."})
found["retried"] = order["call_id"]

body = b'{"event": "call.completed"}'
stamp = int(time.time())
signature = f"t={stamp},v1={hmac.new(b'secret', b'%d.' % stamp + body, hashlib.sha256).hexdigest()}"
found["webhook"] = verify_webhook(body, signature, ["other", "secret"])["event"]
try:
    verify_webhook(body, signature, "other")
except demarc.WebhookSignatureError:
    found["forged"] = "refused"
found["agent"] = f"demarc-python/{demarc.__version__}"
print(json.dumps(found))
os._exit(0)
