# Onward in a container: the binary, the files that an operator may change, and the libraries that it loads.
#
#   docker build -t onward .
#   docker run -p 8080:8080 -v onward-data:/var/lib/onward -v ./onward.yaml:/etc/onward/onward.yaml:ro -e ONWARD_SECRET onward
#
# With TLS: also -p 443:8443 -p 80:8081 -v /etc/onward/tls:/etc/onward/tls:ro, and in the configuration listenTLS "0.0.0.0:8443",
# redirectFrom "0.0.0.0:8081" and tls. The key must be readable by user 10001 and by no other.
#
# In the configuration: listen "0.0.0.0:8080", database.path /var/lib/onward/onward.sqlite, secret.env ONWARD_SECRET.

FROM swift:6.3-bookworm AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends \
        libcurl4-openssl-dev libsqlite3-dev libssl-dev zlib1g-dev libidn2-dev libpsl-dev libcrypt-dev libqrencode-dev pkg-config \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /onward
COPY Package.swift Package.resolved* ./
RUN swift package resolve
COPY Sources Sources
# The manifest names the test targets, so their folders must exist; they are not built.
COPY Tests Tests
COPY Scripts/machine Scripts/machine
RUN bash -c 'source Scripts/machine && swift build "${release_flags[@]}" --product onward' \
    && strip .build/release/onward

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends \
        ca-certificates libcrypt1 libcurl4 libsqlite3-0 libssl3 zlib1g libidn2-0 libpsl5 libqrencode4 publicsuffix libstdc++6 tzdata \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /var/lib/onward --create-home --shell /usr/sbin/nologin onward
COPY --from=build /onward/.build/release/onward /usr/bin/onward
COPY Config /usr/share/onward/Config
COPY Public /usr/share/onward/Public
USER onward
WORKDIR /var/lib/onward
VOLUME /var/lib/onward
EXPOSE 8080 8081 8443
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["onward", "healthcheck", "--address", "127.0.0.1:8080"]
ENTRYPOINT ["onward"]
CMD ["serve", "--config", "/etc/onward/onward.yaml"]
