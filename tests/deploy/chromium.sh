#!/bin/sh
# Make sure that there is a /usr/bin/chromium (Debian's package): the browser tests drive it and download no browser of their own.
set -eu
if [ -x /usr/bin/chromium ]; then
  exit 0
fi
if ! command -v apt-get >/dev/null 2>&1; then
  echo 'The browser tests need Chromium at /usr/bin/chromium. This is not Debian or Ubuntu: install it by hand, then run make test-browser again.' >&2
  exit 1
fi
as_root=
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null 2>&1; then
    echo 'The browser tests need the Debian package chromium: as root, run apt-get install chromium.' >&2
    exit 1
  fi
  as_root=sudo
fi
echo '== installing the Debian package chromium'
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq
$as_root apt-get install -y -qq --no-install-recommends chromium >/dev/null
[ -x /usr/bin/chromium ] || { echo 'The package chromium brought no /usr/bin/chromium (Ubuntu ships a stub for a snap): install Chromium there by hand.' >&2; exit 1; }
