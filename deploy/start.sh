#!/bin/sh
# Starts the web server on what `kv-cache build` wrote. Environment:
#   PORT             port to listen on (8080)
#   ALLOWED_ORIGINS  who may show the page in a frame, as in Content-Security-Policy: frame-ancestors (*)
#   PAGE_FOLDER      what was built (the folder page beside this script)
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
site=$(cd "$page/site" && pwd)

# The configuration names all files by their place in this folder: a path may hold what would need quotes there.
run=$(mktemp -d "${TMPDIR:-/tmp}/kv-cache.XXXXXX")
ln -s "$site" "$run/site"
# Brotli is smaller than gzip; nginx needs a module for it (Debian: libnginx-mod-http-brotli-static).
module=$(nginx -V 2>&1 | sed -n 's|.*--modules-path=\([^ ]*\).*|\1|p')/ngx_http_brotli_static_module.so
load='' brotli=''
if [ -r "$module" ]; then
    load="load_module $module;" brotli="brotli_static on;"
fi
sed -e "s|@PORT@|$port|" -e "s|@ALLOWED_ORIGINS@|$origins|" -e "s|@LOAD_BROTLI@|$load|" -e "s|@BROTLI@|$brotli|" \
    "$here/nginx.conf" > "$run/nginx.conf"

# Started by root, nginx answers as a user without rights, who has to get at the page.
open_to_all() {
    case $(ls -ldL "$2") in
        $1*) ;;
        *) refuse "nginx's workers may not read $2; let everybody (chmod o+rX), or start as the folder's owner" ;;
    esac
}
if [ "$(id -u)" = 0 ]; then
    chmod 755 "$run"
    open_to_all '???????r' "$site/index.html"
    for folder in "$site" "$run"; do
        while [ "$folder" != / ]; do
            open_to_all '?????????[xt]' "$folder"
            folder=$(dirname "$folder")
        done
    done
fi
exec nginx -e stderr -p "$run" -c nginx.conf
