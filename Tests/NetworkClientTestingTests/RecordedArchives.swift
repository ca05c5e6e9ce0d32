import Foundation

/// Small HTTP archives in the forms of their exporters.
enum RecordedArchives {
    /// Chrome: `charset` of the server kept beside text in UTF-8, HTTP/2 fields, WebSockets, blocked requests.
    static let chrome = #"""
        {"log": {"version": "1.2", "creator": {"name": "WebInspector", "version": "537.36"}, "pages": [], "entries": [
          {"_initiator": {"type": "script"}, "_priority": "High", "_resourceType": "fetch", "cache": {},
            "request": {"method": "GET", "url": "https://h/cart?q=a%20b&page=1", "httpVersion": "http/2.0",
              "headers": [{"name": ":method", "value": "GET"}], "queryString": [{"name": "q", "value": "a%20b"}],
              "cookies": [], "headersSize": -1, "bodySize": 0},
            "response": {"status": 200, "statusText": "", "httpVersion": "http/2.0",
              "headers": [{"name": ":status", "value": "200"}, {"name": "content-encoding", "value": "br"},
                {"name": "content-length", "value": "3"}, {"name": "set-cookie", "value": "a=1; Path=/\r\nb=2"},
                {"name": "x-empty", "value": ""},
                {"name": "content-type", "value": "text/plain; charset=ISO-8859-1"}],
              "cookies": [], "content": {"size": 2, "mimeType": "text/plain", "text": "é", "compression": -1},
              "redirectURL": "", "headersSize": -1, "bodySize": -1, "_transferSize": 90, "_error": null},
            "serverIPAddress": "192.0.2.1", "startedDateTime": "2026-01-02T03:04:05.678Z", "time": 12.5,
            "timings": {"blocked": 1, "dns": -1, "ssl": -1, "connect": -1, "send": 0.1, "wait": 10, "receive": 1}},
          {"request": {"method": "GET", "url": "https://h/ad.js", "headers": [], "bodySize": 0},
            "response": {"status": 0, "headers": [], "content": {"size": 0, "mimeType": "x-unknown"},
              "redirectURL": "", "bodySize": 0, "_error": "net::ERR_BLOCKED_BY_CLIENT"}},
          {"_resourceType": "websocket", "_webSocketMessages": [{"type": "send", "time": 1, "opcode": 1, "data": "x"}],
            "request": {"method": "GET", "url": "wss://h/live", "headers": []},
            "response": {"status": 101, "headers": [], "content": {"size": 0, "mimeType": "x-unknown"}}},
          {"request": {"method": "GET", "url": "data:image/png;base64,AA==", "headers": []},
            "response": {"status": 200, "headers": [], "content": {"size": 1, "mimeType": "image/png"}}},
          {"request": {"method": "GET", "url": "https://h/evicted", "headers": [], "bodySize": 0},
            "response": {"status": 200, "headers": [], "content": {"size": 70, "mimeType": "text/html"}}},
          {"request": {"method": "GET", "url": "https://h/old", "headers": [], "bodySize": 0},
            "response": {"status": 302, "headers": [{"name": "location", "value": "/cart?page=1&q=a+b"}],
              "content": {"size": 0, "mimeType": "text/html"}, "redirectURL": "/cart?page=1&q=a+b"}}
        ]}}
        """#

    /// Firefox: a field for each cookie, base64 for images, an aborted request before the one that succeeded.
    static let firefox = #"""
        {"log": {"version": "1.2", "creator": {"name": "Firefox", "version": "140.0"},
          "browser": {"name": "Firefox", "version": "140.0"}, "pages": [], "entries": [
          {"pageref": "page_1", "startedDateTime": "2026-01-02T03:04:05.678+01:00",
            "request": {"bodySize": 0, "method": "GET", "url": "https://h/pixel.png", "httpVersion": "HTTP/1.1",
              "headers": [{"name": "Host", "value": "h"}], "cookies": [], "queryString": [], "headersSize": 400},
            "response": {"status": 0, "statusText": "", "httpVersion": "", "headers": [], "cookies": [],
              "content": {"mimeType": "", "size": -1}, "redirectURL": "", "headersSize": -1, "bodySize": -1},
            "cache": {}, "timings": {}, "time": 0, "_securityState": "secure"},
          {"request": {"bodySize": 0, "method": "GET", "url": "https://h/pixel.png", "headers": []},
            "response": {"status": 200, "headers": [{"name": "Content-Type", "value": "image/png"},
                {"name": "Transfer-Encoding", "value": "chunked"}, {"name": "Set-Cookie", "value": "a=1"},
                {"name": "Set-Cookie", "value": "b=2"}],
              "content": {"mimeType": "image/png", "size": 4, "encoding": "base64", "text": "iVBO\nRw=="},
              "redirectURL": "", "headersSize": 200, "bodySize": 210}},
          {"request": {"bodySize": 0, "method": "HEAD", "url": "https://h/pixel.png", "headers": []},
            "response": {"status": 200, "headers": [{"name": "Content-Length", "value": "4000"}],
              "content": {"mimeType": "image/png", "size": 0, "text": ""}, "redirectURL": ""}}
        ]}}
        """#

    /// mitmproxy: `postData` in each POST, also an empty one; the body with the status 503, then the one with 201.
    static let mitmproxy = #"""
        {"log": {"version": "1.2", "creator": {"name": "mitmproxy", "version": "11.0.0", "comment": ""}, "pages": [],
          "entries": [
            {"request": {"method": "POST", "url": "https://h/orders", "httpVersion": "HTTP/1.1", "cookies": [],
                "headers": [{"name": "Content-Type", "value": "application/json"}], "queryString": [],
                "headersSize": 99, "bodySize": 22,
                "postData": {"mimeType": "application/json", "text": "{\"id\": 1, \"name\":\"a\"}", "params": []}},
              "response": {"status": 503, "statusText": "", "headers": [{"name": "Retry-After", "value": "0"}],
                "content": {"size": 0, "compression": 0, "mimeType": "", "text": ""}, "redirectURL": "",
                "headersSize": 20, "bodySize": 0}, "cache": {}, "timings": {"connect": null, "ssl": null}},
            {"request": {"method": "POST", "url": "https://h/orders", "headers": [], "bodySize": 21,
                "postData": {"mimeType": "application/json", "text": "{\"name\":\"a\", \"id\": 1}", "params": []}},
              "response": {"status": 201, "headers": [],
                "content": {"size": 9, "mimeType": "application/json", "text": "{\"id\": 7}"}, "redirectURL": ""}},
            {"request": {"method": "POST", "url": "https://h/orders", "headers": [], "bodySize": 0,
                "postData": {"mimeType": "", "text": "", "params": []}},
              "response": {"status": 400, "headers": [], "content": {"size": 0, "mimeType": "", "text": null}}},
            {"_resourceType": "websocket", "_webSocketMessages": [],
              "request": {"method": "GET", "url": "https://h/live", "headers": []},
              "response": {"status": 101, "headers": [], "content": {}}}
          ]}}
        """#

    /// Charles: null for what is unknown, forms only as `params`, bodies in base64 without a word, line breaks as CRLF.
    static let charles = #"""
        {"log": {"version": "1.2", "creator": {"name": "Charles Proxy", "version": "4.6.2"}, "entries": [
          {"startedDateTime": "2026-01-02T03:04:05.678+01:00", "time": 33,
            "request": {"method": "POST", "url": "https://h/login", "httpVersion": "HTTP/2.0", "cookies": [],
              "headers": [{"name": ":method", "value": "POST"}], "queryString": [],
              "postData": {"mimeType": "application/x-www-form-urlencoded",
                "params": [{"name": "user", "value": "a b"}, {"name": "tag", "value": "1"},
                  {"name": "tag", "value": ""}]},
              "headersSize": 308, "bodySize": 25},
            "response": {"_charlesStatus": "COMPLETE", "status": 204, "statusText": null, "httpVersion": "HTTP/2.0",
              "headers": [{"name": ":status", "value": "204"}, {"name": "x-empty", "value": null}], "cookies": [],
              "content": {"size": 0, "mimeType": null}, "redirectURL": null, "headersSize": 0, "bodySize": 0},
            "serverIPAddress": "192.0.2.1", "cache": {}, "timings": {"dns": -1}},
          {"request": {"method": "PUT", "url": "https://h/score", "headers": [], "bodySize": 7,
              "postData": {"mimeType": "application/json", "text": "eyJhIjoxfQ=="}},
            "response": {"status": 200, "statusText": null, "headers": [],
              "content": {"size": 2, "mimeType": null, "text": "/w8=", "encoding": "base64"}, "redirectURL": null}}
        ]}}
        """#.replacingOccurrences(of: "\n", with: "\r\n")
}
