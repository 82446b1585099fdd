# The service as an image of Node and one bundle: docker build -t team-standup-service .
# The same image runs the web process, the worker (ROLES) and the command: node dist/cli.js doctor
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY web/package.json web/
COPY packages/client-ts/package.json packages/client-ts/
RUN npm ci --include=dev --no-audit --no-fund
COPY . .
RUN npm run build

FROM node:24-slim
ENV NODE_ENV=production
WORKDIR /app
# dist/ contains its packages, so the image needs no node_modules.
COPY --from=build /app/package.json ./
COPY --from=build /app/dist ./dist
USER 1000:1000
EXPOSE 3000
STOPSIGNAL SIGTERM
# A process with ROLES=worker has a port only with METRICS_TOKEN.
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then(({ok}) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=32", "--no-memory-reducer", "dist/main.js"]
