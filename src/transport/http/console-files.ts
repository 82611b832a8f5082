// The console's built files (dist/console), served from memory, with the paths of its pages and their headers. No file asks the database. A
// caller who does not read an answer holds no file open, and no copy.

import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import type { Request, RequestHandler, Response } from 'express';
import { productFolder } from '../../config/product.js';
import { hasCode } from '../../platform/observability/fault.js';
import type { Logger } from '../../platform/observability/logger.js';
import { isOwnOrigin } from './allowed-origins.js';
import { readGuides, sendGuide, type Guides } from './guide-files.js';

export interface ConsoleOptions {
  /** The folder that the build wrote: `index.html` and `assets`, each with `.br` and `.gz` copies. Default: dist/console. */
  folder?: string | undefined;
  /** Gives the origin of files' addresses; undefined where that is the service's own. */
  mediaOrigin: () => string | undefined;
  /** PUBLIC_URL, which the guides' examples name; undefined where it is not configured. */
  publicUrl: string | undefined;
  log: Pick<Logger, 'warn'>;
}

/** The content of a file in one encoding. */
interface Variant {
  body: Buffer;
  etag: string;
}

interface BuiltFile {
  name: string;
  plain: Variant;
  br: Variant | undefined;
  gzip: Variant | undefined;
}

interface ConsoleFiles {
  /** Undefined where the console was not built. */
  index: BuiltFile | undefined;
  assets: ReadonlyMap<string, BuiltFile>;
  guides: Guides;
}

export interface Console {
  /** Express middleware, which passes on requests that are not the console's. */
  files: RequestHandler;
  /** Shows browsers the console, with the status 404, at a path that nothing has. It passes on what does not ask for a page. */
  unknownPath: RequestHandler;
}

/** Read once: processes that hold several applications share the files. */
let built: ConsoleFiles | undefined;

const builtFolder = join(productFolder, 'dist/console');
const assetsPath = '/assets/';
/** Browsers ask for these by fixed addresses, and again each time. */
const fixedPaths = new Set(['/manifest.webmanifest', '/service-worker.js']);
const lasting = 'public, max-age=31536000, immutable';

// REST paths stand next to the pages (`/leads/export.csv`): a lead's page is known by its id's form.
const pages = [
  '/',
  '/sign-in',
  '/callback',
  '/sign-in-link',
  '/inbox',
  '/inbox/:id',
  '/leads',
  '/leads/:uuid',
  ...['bulk', 'templates', 'dashboards', 'instances', 'calls'].flatMap((name) => [`/${name}`, `/${name}/:id`]),
  '/docs',
  '/docs/:guide',
  '/settings',
  ...['company', 'sending', 'consent', 'assistants', 'users', 'keys', 'webhooks', 'sources', 'audit'].map(
    (name) => `/settings/${name}`,
  ),
];
const pagePattern = new RegExp(
  `^(?:${pages
    .join('|')
    .replaceAll(':id', '[^/]+')
    .replaceAll(':guide', '[\\w-]+')
    .replaceAll(':uuid', '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}')})/?$`,
  'i',
);

const textPattern = /^\/(?:docs\/[\w-]+\.md|llms\.txt)$/;

/** The label that requests of the console are counted under: there are few for the whole console. Undefined for any other path. */
export function consoleRouteOf(path: string): string | undefined {
  if (path.startsWith(assetsPath)) return `${assetsPath}*`;
  return pagePattern.test(path) || textPattern.test(path) || fixedPaths.has(path) ? 'console' : undefined;
}

const notBuilt =
  'The console was not built. Build it with `npm run build`, then start this process again. CONSOLE=off leaves it out.\n';

/**
 * Reads the built console before the process serves: some hundred small files, ten times faster in one go than one by one beside others.
 * Without a built console, its pages say so.
 */
export function openConsole({ folder = builtFolder, mediaOrigin, publicUrl, log }: ConsoleOptions): Console {
  const { index, assets, guides } = folder === builtFolder ? (built ??= readConsole(folder)) : readConsole(folder);
  if (index === undefined) log.warn({ folder }, 'the console was not built: its pages say so');
  const show = (req: Request, res: Response, file: BuiltFile, cacheControl: string) => {
    res.set('Content-Security-Policy', policyFor(req, mediaOrigin()));
    res.set(furtherHeaders);
    res.set('Cache-Control', cacheControl);
    send(req, res, file);
  };
  return {
    files(req, res, next) {
      if (!isReading(req)) return next();
      const { path } = req;
      const guide = guides.get(path);
      if (guide !== undefined) return sendGuide(req, res, guide, publicUrl);
      const asset = assets.get(path);
      if (asset !== undefined) return show(req, res, asset, fixedPaths.has(path) ? 'no-cache' : lasting);
      if (!pagePattern.test(path)) return next();
      if (index === undefined) return void res.status(404).type('text/plain').end(notBuilt);
      show(req, res, index, 'no-cache');
    },
    unknownPath(req, res, next) {
      // A program that takes anything gets a problem, which comes first.
      if (index === undefined || !isReading(req) || req.accepts(['json', 'html']) !== 'html') return next();
      show(req, res.status(404), index, 'no-store');
    },
  };
}

const isReading = ({ method }: Request) => method === 'GET' || method === 'HEAD';

/** The texts of the built console's operations, which its build lists; none where it was not built. */
export function readOperations(folder: string = builtFolder): string[] {
  try {
    const manifest = readFileSync(join(folder, 'operations.json'), 'utf8');
    return Object.values(JSON.parse(manifest) as Record<string, string>);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

const furtherHeaders = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(self), payment=(), usb=()',
};

// The policy allows no inline code. A page that was opened under another name than PUBLIC_URL's shows files all the same.
function policyFor({ headers }: Request, mediaOrigin: string | undefined): string {
  const files = mediaOrigin === undefined || isOwnOrigin(mediaOrigin, headers.host) ? '' : ` ${mediaOrigin}`;
  return [
    "default-src 'self'",
    "connect-src 'self'",
    `img-src 'self' blob: data:${files}`,
    `media-src 'self' blob:${files}`,
    "style-src 'self'",
    "script-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function send(req: Request, res: Response, file: BuiltFile): void {
  const encoding = (['br', 'gzip'] as const).find((name) => file[name] !== undefined && accepts(req, name));
  const { body, etag } = (encoding && file[encoding]) ?? file.plain;
  res.vary('Accept-Encoding').type(file.name).set('ETag', etag);
  if (req.fresh) return void res.status(304).end();
  if (encoding !== undefined) res.set('Content-Encoding', encoding);
  // `res.send` would count the bytes that wait, but all answers share this body.
  res.set('Content-Length', String(body.length)).end(body);
}

function accepts(req: Request, encoding: string): boolean {
  return req.acceptsEncodings(encoding) === encoding;
}

function readConsole(folder: string): ConsoleFiles {
  const names = listFiles(folder);
  const index = names.has('index.html') ? readBuilt(folder, 'index.html', names) : undefined;
  return { index, assets: readAssets(folder, names), guides: readGuides(folder) };
}

/** Reads the assets by path. */
function readAssets(folder: string, names: ReadonlySet<string>): Map<string, BuiltFile> {
  const isAsset = (name: string) =>
    fixedPaths.has(`/${name}`) || (`/${name}`.startsWith(assetsPath) && !/\.(?:br|gz)$/.test(name));
  return new Map([...names].filter(isAsset).map((name) => [`/${name}`, readBuilt(folder, name, names)] as const));
}

/** Lists the files below the folder, with `/` between names; none where the folder is missing. */
function listFiles(folder: string): Set<string> {
  try {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return new Set(files.map((file) => relative(folder, join(file.parentPath, file.name)).replaceAll(sep, '/')));
  } catch (error) {
    if (isMissing(error)) return new Set();
    throw error;
  }
}

function readBuilt(folder: string, name: string, names: ReadonlySet<string>): BuiltFile {
  const path = join(folder, name);
  const readCopy = (suffix: string) => (names.has(`${name}${suffix}`) ? readVariant(`${path}${suffix}`) : undefined);
  return { name: basename(name), plain: readVariant(path), br: readCopy('.br'), gzip: readCopy('.gz') };
}

// The ETag follows the content, so that processes of one build agree, and an unchanged file is not loaded after an upgrade.
function readVariant(path: string): Variant {
  const body = readFileSync(path);
  return { body, etag: `"${hash('sha256', body, 'base64url').slice(0, 22)}"` };
}

function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR');
}
