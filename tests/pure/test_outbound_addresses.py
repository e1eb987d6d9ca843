"""Which addresses are asked for pictures: every spelling of a closed one is refused, before anything is sent."""

from ipaddress import ip_address

import pytest

from annotation.outbound.addresses import RefusedAddress, check, check_ip, is_closed, policy, target

OUTSIDE = policy(own_hosts=[], allow=[])

CLOSED = [
    "127.0.0.1",
    "0.0.0.0",
    "10.0.0.1",
    "192.0.0.1",
    "198.18.0.1",
    "255.255.255.255",
    "169.254.169.254",
    "100.64.0.1",
    "100.100.100.200",
    "224.0.0.1",
    "192.88.99.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "198.19.255.255",
    "240.0.0.1",
    "0.1.2.3",
    "192.0.2.1",
    "198.51.100.7",
    "203.0.113.9",
    "239.255.255.255",
    "168.63.129.16",
    "::1",
    "::",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "fd00:ec2::254",
    "2001:db8::1",
    "ff02::1",
    "fec0::1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "::ffff:10.0.0.1",
    "::127.0.0.1",
    "::8.8.8.8",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2002:0808:0808::",
    "2001:0:7f00:1::",
    "2001:2::1",
    "2001:10::1",
    "3fff::1",
    "100::1",
    "5f00::1",
]

OPEN = [
    "8.8.8.8",
    "1.1.1.1",
    "172.15.0.1",
    "172.32.0.1",
    "100.63.255.255",
    "100.128.0.1",
    "198.20.0.1",
    "192.0.1.1",
    "223.255.255.255",
    "2606:4700::1111",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
]

SPELLINGS = [
    "http://127.0.0.1/", "http://2130706433/", "http://0x7f000001/", "http://0177.0.0.1/", "http://127.1/", "http://①②⑦.0.0.1/",
    "http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://[::127.0.0.1]/", "http://[64:ff9b::7f00:1]/", "http://[2002:7f00:1::]/",
    "http://[2001:0:7f00:1::]/", "http://127.0.0.1./", "HTTP://LOCALHOST/", "http://LocalHost./", "http://0/", "http://0x7f.1/",
    "http://127.0.0.1.:80/", "http://[fe80::1%25eth0]/", "http://127.0.0.1%2f/", "http://127.000.000.001/", "http://0x7f.0.0.1/",
]  # fmt: skip

TRICKS = [
    "http://good.example@evil.example/", "http://evil.example#@good.example", "http://good.example\\@evil.example/",
    "http://good.example\t/a.jpg", "http://good.example/a\r\nHost: evil", "\nhttp://good.example/", " http://good.example/",
    "http://[example.com]/", "http://exаmple.com/", "http://gооd.example/", "http://good.example:22/", "http://good.example:6379/",
    "http://good.example:5432/", "http://good.example:/a", "http://good.example:99999/", "http://good.example:0/", "http://:80/",
    "http:///a.jpg", "https:good.example", "ftp://good.example/a.jpg", "file:///etc/passwd", "gopher://good.example/", "data:image/png;base64,",
    "javascript:alert(1)", "//good.example/a.jpg", "http://good.example:8o/", "http://a..example/", "http://-a.example/", "http://a_b.example/",
    "http://metadata/", "http://metadata.google.internal/", "http://printer.local/", "http://a.localhost/", "http://x.onion/",
    "http://good.example/\x7f", "http://good.example/\u0085", "http://good.example/" + "a" * 2000, "http://" + "a." * 130 + "example/",
    "http://[::1", "http://[::1]x/", "http://[1.2.3.4]/", "",
]  # fmt: skip


def asked(url: str) -> None:
    check(target(url), OUTSIDE)


@pytest.mark.parametrize("address", CLOSED)
def test_a_closed_network_is_closed_however_it_is_wrapped(address: str) -> None:
    assert is_closed(ip_address(address))
    with pytest.raises(RefusedAddress):
        check_ip(address, 443, OUTSIDE)


@pytest.mark.parametrize("address", OPEN)
def test_what_is_for_everybody_is_open(address: str) -> None:
    assert not is_closed(ip_address(address))
    check_ip(address, 443, OUTSIDE)


@pytest.mark.parametrize("url", SPELLINGS)
def test_no_spelling_of_loopback_passes(url: str) -> None:
    with pytest.raises(RefusedAddress):
        asked(url)


@pytest.mark.parametrize("url", TRICKS)
def test_no_trick_of_a_parser_passes(url: str) -> None:
    with pytest.raises(RefusedAddress):
        asked(url)


def test_a_plain_address_is_taken_apart_and_put_together_again() -> None:
    found = target("HTTPS://Pictures.Example:443/Überblick 1.jpg?x=1&y=%20#top")
    assert (found.scheme, found.host, found.port) == ("https", "pictures.example", 443)
    assert found.url == "https://pictures.example/%C3%9Cberblick%201.jpg?x=1&y=%20"
    assert target(found.url) == found
    assert target("http://pictures.example").path == "/"
    assert target("http://pictures.example?x").path == "/?x"
    assert target("http://[2606:4700::1111]:80/a").authority == "[2606:4700::1111]"
    asked("https://live.staticflickr.com/123@N00/a.jpg")
    asked("http://xn--bcher-kva.example/a.jpg")


def test_an_installation_never_asks_itself() -> None:
    rules = policy(own_hosts=["hardbench.example", ".pictures.example", "*"], allow=[])
    for host in ("hardbench.example", "HARDBENCH.example", "pictures.example", "signed.pictures.example"):
        with pytest.raises(RefusedAddress, match="installation itself"):
            check(target(f"https://{host}/a.jpg"), rules)
    check(target("https://nothardbench.example/"), rules)


def test_what_is_let_through_is_one_address_at_one_port_and_nothing_beside_it() -> None:
    rules = policy(own_hosts=["127.0.0.1"], allow=["127.0.0.1:8099", "[::1]:8099"])
    check(target("http://127.0.0.1:8099/"), rules)
    check(target("http://[::1]:8099/"), rules)
    check(target("http://pictures.example:8099/"), rules)
    check_ip("127.0.0.1", 8099, rules)
    for address, port in (("127.0.0.1", 80), ("127.0.0.2", 8099), ("10.0.0.1", 8099), ("8.8.8.8", 8099)):
        with pytest.raises(RefusedAddress):
            check_ip(address, port, rules)


@pytest.mark.parametrize("entry", ["localhost", "127.0.0.1:x", "10.0.0.0/8", "127.1"])
def test_a_setting_that_names_no_address_is_refused(entry: str) -> None:
    with pytest.raises(ValueError):
        policy(own_hosts=[], allow=[entry])
