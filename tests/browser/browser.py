"""A headless Chromium that a test drives: Chrome's DevTools protocol over a pipe, with nothing but the standard library."""
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

KEYS = {" ": ("Space", 32), "ArrowLeft": ("ArrowLeft", 37), "ArrowRight": ("ArrowRight", 39), "Home": ("Home", 36),
        "End": ("End", 35), "Tab": ("Tab", 9)}
PATIENCE = 60  # seconds for an answer: only a broken browser needs them


class Browser:
    """One page at a time. Use it in a with statement: it ends the process that it began."""

    def __init__(self, program):
        self.folder = tempfile.mkdtemp(prefix="vnode-browser.")
        commands, self.commands = os.pipe()
        self.answers, answers = os.pipe()
        # Chromium reads from descriptor 3 and writes to 4; those of the pipes must not be in the way.
        source, sink = (fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (commands, answers))
        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--disable-extensions", "--remote-debugging-pipe",
             f"--user-data-dir={self.folder}", "--window-size=1280,900", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, pass_fds=(3, 4),
            preexec_fn=lambda: (os.dup2(source, 3), os.dup2(sink, 4)))
        for end in (commands, answers, source, sink):
            os.close(end)
        self.read, self.number, self.session, self.wrong = b"", 0, None, []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.commands)
        os.close(self.answers)
        shutil.rmtree(self.folder, ignore_errors=True)

    def message(self):
        """The next one that Chromium sends."""
        end = time.monotonic() + PATIENCE
        while b"\0" not in self.read:
            ready, _, _ = select.select([self.answers], [], [], max(0, end - time.monotonic()))
            part = os.read(self.answers, 1 << 16) if ready else b""
            if not part:
                raise RuntimeError("the browser does not answer")
            self.read += part
        text, self.read = self.read.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        call = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            call["sessionId"] = self.session
        os.write(self.commands, json.dumps(call).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("method") == "Runtime.exceptionThrown":
                self.wrong.append(answer["params"]["exceptionDetails"].get("exception", {}).get("description"))
            elif answer.get("method") == "Network.requestWillBeSent":
                url = answer["params"]["request"]["url"]
                if not url.startswith(("file:", "data:")):
                    self.wrong.append(f"the page asks for {url}")
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def open(self, path, ready="document.body.dataset.position !== undefined"):
        """Loads a file in a page of its own, which has the keyboard, until it is there and ready."""
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)
        self.call("Page.navigate", url=f"file://{path}")
        self.until(f"document.readyState === 'complete' && {ready}")

    def value(self, expression):
        """What an expression of the page's script comes to."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def until(self, expression):
        end = time.monotonic() + PATIENCE
        while not self.value(expression):
            if time.monotonic() > end:
                raise AssertionError(f"never true: {expression}")
            time.sleep(0.02)

    def press(self, key):
        code, number = KEYS[key]
        text = {"text": key} if key == " " else {}
        event = {"key": key, "code": code, "windowsVirtualKeyCode": number}
        self.call("Input.dispatchKeyEvent", type="keyDown", **event, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", **event)

    def resize(self, width, height):
        """Makes the window as large as that, in pixels of the page."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=True)

    def prefer(self, **features):
        """What the reader's system prefers, such as color_scheme='dark'."""
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-" + name.replace("_", "-"), "value": value} for name, value in features.items()])
