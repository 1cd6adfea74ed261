"""A bot as its developers write them in Python, on Debian's python3-websockets: it repeats what it hears."""

import asyncio
import json
import ssl
import sys

import websockets


async def serve(socket):
    stream = None
    async for text in socket:
        message = json.loads(text)
        event = message["event"]
        if event == "start":
            stream = message["start"]["streamSid"]
            print("call from", message["start"]["customParameters"]["from_number"], flush=True)
        elif event == "media":
            payload = message["media"]["payload"]
            await socket.send(json.dumps({"event": "media", "streamSid": stream, "media": {"payload": payload}}))
        elif event == "dtmf":
            print("digit", message["dtmf"]["digit"], flush=True)
            await socket.send(json.dumps({"event": "mark", "streamSid": stream, "mark": {"name": "digit"}}))
        elif event == "mark":
            print("mark", message["mark"]["name"], flush=True)
            await socket.close()
        elif event == "stop":
            print("stop", flush=True)


async def main(certificate, key, port):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    async with websockets.serve(serve, "127.0.0.1", int(port), ssl=context):
        print("ready", flush=True)
        await asyncio.Future()


asyncio.run(main(*sys.argv[1:]))
