FROM node:24-bookworm-slim AS install
WORKDIR /app
COPY package.json package-lock.json ./
COPY client/package.json client/
COPY bridge/package.json bridge/
COPY ui/package.json ui/
COPY portal/package.json portal/
RUN npm ci --omit=dev --no-audit --no-fund && rm -rf node_modules/node-linux-* node_modules/.bin/node

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json tsconfig.json ./
COPY client/package.json client/
COPY bridge/package.json bridge/
COPY ui/package.json ui/
COPY portal/package.json portal/
RUN npm ci --ignore-scripts --no-audit --no-fund && rm -rf node_modules/node-linux-* node_modules/.bin/node
COPY client/src ./client/src
COPY src ./src
COPY ui ./ui
COPY portal ./portal
RUN npm run build -w portal

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
COPY --from=install /app/node_modules ./node_modules
COPY package.json waybill .env.example ./
COPY bin ./bin
COPY migrations ./migrations
COPY src ./src
COPY bridge/package.json ./bridge/
COPY bridge/src ./bridge/src
COPY ui/tokens.css ./ui/
COPY --from=build /app/portal/dist ./portal/dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+(process.env.PORT||8080)+'/health/ready').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
CMD ["./waybill", "start"]
