"""`plenosr view`: the page over HTTP, and what the server refuses."""
import contextlib
import http.client
import os
import random
import re
import signal
import socket
import subprocess
import urllib.parse

import numpy as np

from conftest import PROGRAM, pixels_of, view_file

REQUESTS = int(os.environ.get("PLENOSR_TEST_REQUESTS", "10000"))


class Server:
    def __init__(self, process):
        self.process = process
        self.address = process.stdout.readline().strip()
        parts = urllib.parse.urlsplit(self.address)
        self.port, self.token = parts.port, parts.path.strip("/")

    def get(self, path, method="GET", **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request(method, path, headers={"Host": f"127.0.0.1:{self.port}", **headers})
        response = connection.getresponse()
        return response, response.read()

    def resident_bytes(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return 1024 * int(re.search(r"VmRSS:\s+(\d+)", status.read())[1])


@contextlib.contextmanager
def served(*arguments):
    process = subprocess.Popen([PROGRAM, "view", *map(str, arguments), "--no-browser"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    try:
        server = Server(process)
        yield server
        assert process.poll() is None, process.stderr.read()
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=5) == 0


def test_views_are_loaded_when_they_are_needed(scene, viewer):
    with served(scene.views, scene.json, "--lossless") as server:
        shown = viewer(server.address, tab="explore")
        own_views = [url for url in shown.page.requests if "/picture/" in url]
        assert len(own_views) <= 5 + 1  # the row of the epipolar plane, and the map
        assert np.abs(shown.picture() - pixels_of(view_file(scene.views, 2, 2))).max() <= 1
        shown.press("ArrowUp")
        assert np.abs(shown.picture() - pixels_of(view_file(scene.views, 1, 2))).max() <= 1
        shown.go(tab="explore", aperture=9)
        assert shown.page.locator("#view").get_attribute("data-views") == "25/25"


def test_only_this_host_and_the_token_are_answered(scene):
    with served(scene.views) as server:
        assert re.fullmatch("[0-9a-f]{32}", server.token)
        page, text = server.get(f"/{server.token}/")
        assert page.status == 200 and b"<!DOCTYPE html>" in text
        policy = page.getheader("Content-Security-Policy")
        assert "default-src 'none'" in policy and "unsafe" not in policy
        assert page.getheader("Access-Control-Allow-Origin") is None
        assert server.get(f"/{server.token}/picture/0")[0].getheader("Content-Type") == "image/webp"
        for host in ("evil.example", "evil.example:80", f"127.0.0.1:{server.port + 1}", "", f"localhost.evil:{server.port}"):
            response, body = server.get(f"/{server.token}/", Host=host)
            assert response.status in (400, 403) and server.token.encode() not in body, host
        wrong = server.token[:-1] + ("0" if server.token[-1] != "0" else "1")
        for path in ("/", f"/{wrong}/", f"/{server.token}", f"/{server.token}/picture/", f"/{server.token}/picture/26",
                     f"/{server.token}/picture/-1", f"/{server.token}/picture/0x1", f"/{server.token}/../etc/passwd",
                     f"/{server.token}/lightfield.json", f"/{server.token}/%2e%2e/%2e%2e/etc/passwd",
                     f"/{server.token}/picture/99999999999999999999"):
            assert server.get(path)[0].status == 404, path
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH"):
            assert server.get(f"/{server.token}/", method)[0].status == 405
        second = subprocess.run([PROGRAM, "view", scene.views, "--no-browser", "--port", str(server.port)],
                                capture_output=True, text=True)
        assert second.returncode == 4 and f"port {server.port}" in second.stderr


def test_no_request_gets_more_than_one_answer(scene):
    with served(scene.views) as server:
        page = server.get(f"/{server.token}/")[1]
        many = ",".join("0-99999" for _ in range(900))
        for ranges in (many, "0-10", "5-2"):
            response, text = server.get(f"/{server.token}/", Range=f"bytes={ranges}")
            assert len(text) <= len(page), ranges
        picture = server.get(f"/{server.token}/picture/3")[1]
        assert server.get(f"/{server.token}/picture/3", Range=f"bytes={many}")[1] == picture


def hostile_request(rng, server):
    """Bytes that may or may not be a request."""
    pieces = [server.token, "picture", "..", "%2e%2e", "etc/passwd", "lightfield.json", "input_Cam000.png", "\\", "//",
              "%00", "?a=b", "#", "picture/0", "picture/1e3", "a" * rng.randrange(1, 9000), "ü"]
    path = "/" + "/".join(rng.choice(pieces) for _ in range(rng.randrange(0, 5)))
    if rng.random() < 0.3:
        path = f"/{server.token}/picture/{rng.randrange(-2, 40)}"
    method = rng.choice(["GET", "GET", "GET", "HEAD", "POST", "TRACE", "CONNECT", "PRI", "G\0T", "get", ""])
    version = rng.choice(["HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/9.9", "", "HTTP/1.1\r\n "])
    host = rng.choice([f"127.0.0.1:{server.port}"] * 3 + ["evil.example", "", "a" * 5000, "\xff"])
    headers = [f"Host: {host}"]
    for _ in range(rng.randrange(0, 4)):
        headers.append(rng.choice([
            "Range: bytes=0-", "Range: bytes=5-2", "Range: bytes=" + ",".join("0-99999" for _ in range(rng.randrange(1, 900))),
            "Range: bytes=-99999999999999999999", "Content-Length: 99999999999", "Content-Length: -1",
            "Transfer-Encoding: chunked", "Expect: 100-continue", "Connection: keep-alive", "Accept-Encoding: gzip, br",
            "Content-Type: multipart/form-data; boundary=x", "Origin: http://evil.example", "X: " + "y" * rng.randrange(9000),
            ": empty", "no colon", f"Host: 127.0.0.1:{server.port}"]))
    body = rng.choice([b"", b"", b"5\r\nhello\r\n0\r\n\r\n", os.urandom(rng.randrange(0, 3000))])
    request = f"{method} {path} {version}\r\n" + "\r\n".join(headers) + "\r\n\r\n"
    data = request.encode("latin-1", "replace") + body
    if rng.random() < 0.1:
        data = bytes(b if rng.random() > 0.02 else rng.randrange(256) for b in data)
    return data[:rng.randrange(1, len(data))] if rng.random() < 0.05 else data


def answer_to(port, data):
    with socket.create_connection(("127.0.0.1", port), timeout=0.3) as connection:
        try:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            parts = []
            while part := connection.recv(1 << 16):
                parts.append(part)
        except OSError:
            pass
        return b"".join(parts) if "parts" in locals() else b""


def test_hostile_requests_find_nothing_and_do_no_harm(scene):
    rng = random.Random(1)
    secrets = [b"root:x:", (scene.views / "lightfield.json").read_bytes()[:40], b"gt_disp", str(scene.views).encode()]
    with served(scene.views) as server:
        middle = None
        for count in range(REQUESTS):
            answer = answer_to(server.port, hostile_request(rng, server))
            for secret in secrets:
                assert secret not in answer
            if count == REQUESTS // 2:
                middle = server.resident_bytes()
        assert server.get(f"/{server.token}/picture/3")[0].status == 200
        assert server.resident_bytes() < middle + (8 << 20)
