# Onward in a container: the contents of the Debian package that Scripts/package builds, and the libraries that it depends on.
#
#   docker build -t onward .
#   docker run -p 8080:8080 -v onward-data:/var/lib/onward -v ./onward.yaml:/etc/onward/onward.yaml:ro -e ONWARD_SECRET onward
#
# It is built from the commit that is checked out; uncommitted changes are left out. To pin the bases:
#
#   docker build -t onward --build-arg SWIFT_DIGEST=sha256:… --build-arg DEBIAN_DIGEST=sha256:… .
#
# With TLS: also -p 443:8443 -p 80:8081 -v /etc/onward/tls:/etc/onward/tls:ro, and in the configuration listenTLS "0.0.0.0:8443",
# redirectFrom "0.0.0.0:8081" and tls. The key must be readable by user 10001 and by no other.
#
# In the configuration: listen "0.0.0.0:8080", database.path /var/lib/onward/onward.sqlite, secret.env ONWARD_SECRET. HEALTHCHECK asks
# the address 127.0.0.1, on which "[::]:8080" does not listen: that is for IPv6 only.

ARG SWIFT_DIGEST=
ARG DEBIAN_DIGEST=

FROM swift:6.3-bookworm${SWIFT_DIGEST:+@${SWIFT_DIGEST}} AS build
WORKDIR /onward
COPY . .
# The scripts install what is missing. The author of the commit is the maintainer of the package.
RUN apt-get update && Scripts/package --output /package && rm -rf /var/lib/apt/lists/*
# What a container needs of the package: not the units of systemd, which it has none of, nor documents.
RUN dpkg-deb --extract /package/onward_[0-9]*.deb /image \
    && rm -rf /image/lib /image/etc /image/usr/lib /image/usr/share/bash-completion /image/usr/share/fish /image/usr/share/zsh \
        /image/usr/share/man /image/usr/share/lintian \
    && find /image/usr/share/doc/onward -mindepth 1 ! -name copyright -delete \
    && dpkg-deb --field /package/onward_[0-9]*.deb Depends \
        | tr ',' '\n' | sed -e '/systemd/d' -e 's/^ *//' -e 's/ .*//' > /depends

FROM debian:bookworm-slim${DEBIAN_DIGEST:+@${DEBIAN_DIGEST}}
COPY --from=build /depends /usr/share/onward/depends
RUN apt-get update \
    && xargs apt-get install --yes --no-install-recommends < /usr/share/onward/depends \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --system --gid 10001 onward \
    && useradd --system --uid 10001 --gid onward --home-dir /var/lib/onward --create-home --shell /usr/sbin/nologin onward
COPY --from=build /image /
USER 10001:10001
WORKDIR /var/lib/onward
VOLUME /var/lib/onward
EXPOSE 8080 8081 8443
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["onward", "healthcheck", "--address", "127.0.0.1:8080"]
ENTRYPOINT ["onward"]
CMD ["serve", "--config", "/etc/onward/onward.yaml"]
