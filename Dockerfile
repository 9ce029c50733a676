FROM node:24-bookworm-slim AS install
WORKDIR /app
COPY package.json package-lock.json ./
COPY client/package.json client/
COPY bridge/package.json bridge/
RUN npm ci --omit=dev --no-audit --no-fund && rm -rf node_modules/node-linux-* node_modules/.bin/node

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
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+(process.env.PORT||8080)+'/health/ready').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
CMD ["./waybill", "start"]
