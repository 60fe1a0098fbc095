# The page on a web server: `docker build -t kv-cache . && docker run -p 8080:8080 kv-cache`, see docs/hosting.md.
# The last stage has the files and nginx, no Python. The stage "live" runs a Panel session for each viewer instead.

FROM python:3.11.15-slim-bookworm@sha256:b18992999dbe963a45a8a4da40ac2b1975be1a776d939d098c647482bcad5cba AS python
WORKDIR /srv/source
COPY deploy/requirements.txt deploy/
RUN python -m pip install --no-cache-dir --disable-pip-version-check --only-binary :all: --require-hashes -r deploy/requirements.txt
COPY LICENSE ./
COPY static static
COPY acts acts
COPY app app

FROM python AS live
ENV PORT=8080 BOKEH_ALLOW_WS_ORIGIN=localhost:8080 PYTHONPATH=/srv/source
USER 10001
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f\"http://127.0.0.1:{os.environ['PORT']}/liveness\", timeout=4)"]
CMD ["sh", "-c", "exec python -m panel serve app --index app --address 0.0.0.0 --port \"$PORT\" --liveness --use-xheaders"]

FROM python AS build
RUN python -m app build /srv/page

FROM nginx:1.30.4-alpine-slim@sha256:ddde39c6e51f02fde7410c2e9c234cf2d0a4c7bdbbe176aeb37d8ad7ab4eb58c
COPY deploy/nginx.conf deploy/start.sh /srv/
COPY --from=build /srv/page /srv/page
ENV PORT=8080 ALLOWED_ORIGINS=*
USER 101
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=3s CMD ["sh", "-c", "wget -q -O /dev/null http://127.0.0.1:$PORT/healthz"]
ENTRYPOINT []
CMD ["sh", "/srv/start.sh"]
