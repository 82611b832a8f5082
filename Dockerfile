# What is built with.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY prisma.config.ts tsconfig.json tsconfig.build.json ./
COPY prisma prisma
COPY src src
RUN npm run build
# What production never loads: `npm run dev` with its database and its gateway.
RUN rm -r dist/dev dist/simulator dist/commands/emit-schema.js* dist/.tsbuildinfo dist/.built-*

# What is run with. Without the optional packages, which are tools of Prisma's that its client names as peers.
FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production
COPY package.json ./
COPY --from=packages /app/node_modules node_modules
COPY prisma prisma
COPY --from=build /app/dist dist
RUN mkdir .data && chown node:node .data
USER node
EXPOSE 4000
CMD ["node", "--enable-source-maps", "--max-semi-space-size=16", "--heap-growing-percent=75", "dist/main.js"]
