#!/bin/sh
# Starts the web server on what `kv-cache build` wrote. Environment:
#   PORT             port to listen on (8080)
#   ALLOWED_ORIGINS  who may show the page in a frame, as in Content-Security-Policy: frame-ancestors (*)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
port=${PORT:-8080}
origins=${ALLOWED_ORIGINS:-*}
page=${PAGE_FOLDER:-$here/page}

refuse() {
    echo "$1" >&2
    exit 2
}
case $port in
    *[!0-9]* | ??????*) refuse "PORT must be a number, not: $port" ;;
esac
case $origins in
    *[!A-Za-z0-9\ .:/*\'-]*) refuse "ALLOWED_ORIGINS must be origins such as https://course.example, not: $origins" ;;
esac
[ -r "$page/site/index.html" ] || refuse "there is no page in $page; write it with: kv-cache build $page"

run=$(mktemp -d "${TMPDIR:-/tmp}/kv-cache.XXXXXX")
sed -e "s|@PORT@|$port|" -e "s|@RUN@|$run|" -e "s|@SITE@|$page/site|" -e "s|@ALLOWED_ORIGINS@|$origins|" \
    -e "s|@POLICY@|$(cat "$page/policy.txt")|" "$here/nginx.conf" > "$run/nginx.conf"
exec nginx -e stderr -p "$run" -c "$run/nginx.conf"
