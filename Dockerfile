# What is built with.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY prisma.config.ts tsconfig.json tsconfig.build.json schema.graphql codegen.ts ./
COPY prisma prisma
COPY src src
RUN npm run build
# What production never loads: `npm run dev` with its database and its gateway.
RUN rm -r dist/modules dist/dev dist/commands/emit-files.js* dist/.tsbuildinfo dist/.built-*

# The build has joined the packages with the product, so that none is installed here.
FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production
COPY package.json ./
COPY prisma prisma
COPY --from=build /app/dist dist
RUN mkdir .data && chown node:node .data
USER node
EXPOSE 4000
CMD ["node", "--enable-source-maps", "--max-semi-space-size=16", "--heap-growing-percent=75", "dist/main.js"]
