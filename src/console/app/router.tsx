// The console's addresses and the page behind each. A page's code is loaded at the first visit.

import {
  Outlet,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  parseSearchWith,
  redirect,
  stringifySearchWith,
} from '@tanstack/react-router';
import { NotFound, PageError } from './page-fallbacks.js';
import { isOpenToAll, SignedInLayout } from './shell.js';
import { sessionState } from './session.js';

/** Returns the named search parameters as texts, and leaves out everything else in the address. */
function searchOf<const Name extends string>(...names: Name[]) {
  return (search: Record<string, unknown>): { [Key in Name]?: string } =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = search[name];
        if (typeof value === 'string' && value !== '') return [[name, value]];
        return typeof value === 'number' || typeof value === 'boolean' ? [[name, String(value)]] : [];
      }),
    ) as { [Key in Name]?: string };
}

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound, errorComponent: PageError });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: searchOf('returnTo'),
  component: lazyRouteComponent(() => import('../pages/sign-in/sign-in-page.js'), 'SignInPage'),
});
const callback = createRoute({
  getParentRoute: () => root,
  path: '/callback',
  component: lazyRouteComponent(() => import('../pages/sign-in/callback-page.js'), 'CallbackPage'),
});
const signInLink = createRoute({
  getParentRoute: () => root,
  path: '/sign-in-link',
  component: lazyRouteComponent(() => import('../pages/sign-in/sign-in-link-page.js'), 'SignInLinkPage'),
});

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: SignedInLayout,
  beforeLoad: ({ location }) => {
    if (sessionState.value.user !== undefined || isOpenToAll(location.pathname)) return;
    const returnTo = location.href;
    throw redirect({ to: '/sign-in', search: returnTo === '/' ? {} : { returnTo } });
  },
});

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/inbox' });
  },
});

const inboxPage = lazyRouteComponent(() => import('../pages/inbox/inbox-page.js'), 'InboxPage');
const conversationPage = lazyRouteComponent(
  () => import('../pages/conversation/conversation-page.js'),
  'ConversationPage',
);
// A start at the inbox loads its pages beside the first rendering, instead of after it.
if (sessionState.value.user !== undefined && location.pathname.startsWith('/inbox')) {
  void inboxPage.preload?.();
  if (location.pathname.length > '/inbox/'.length) void conversationPage.preload?.();
}

const inbox = createRoute({
  getParentRoute: () => signedIn,
  path: '/inbox',
  validateSearch: searchOf('view', 'q', 'tag', 'instance', 'order', 'fromAd', 'ad'),
  component: inboxPage,
});
const conversation = createRoute({
  getParentRoute: () => inbox,
  path: '$leadId',
  validateSearch: searchOf('message'),
  component: conversationPage,
});

const leads = createRoute({
  getParentRoute: () => signedIn,
  path: '/leads',
  validateSearch: searchOf(
    'q',
    'tag',
    'source',
    'status',
    'assignee',
    'order',
    'since',
    'until',
    'waiting',
    'optedOut',
    'fromAd',
    'ad',
  ),
  component: lazyRouteComponent(() => import('../pages/leads/leads-page.js'), 'LeadsPage'),
});
const lead = createRoute({
  getParentRoute: () => signedIn,
  path: '/leads/$id',
  validateSearch: searchOf('merge', 'act'),
  component: lazyRouteComponent(() => import('../pages/lead/lead-page.js'), 'LeadPage'),
});
const bulk = createRoute({
  getParentRoute: () => signedIn,
  path: '/bulk',
  validateSearch: searchOf('id'),
  component: lazyRouteComponent(() => import('../pages/bulk/bulk-page.js'), 'BulkPage'),
});
const templates = createRoute({
  getParentRoute: () => signedIn,
  path: '/templates',
  validateSearch: searchOf('id', 'q'),
  component: lazyRouteComponent(() => import('../pages/templates/templates-page.js'), 'TemplatesPage'),
});
const dashboards = createRoute({
  getParentRoute: () => signedIn,
  path: '/dashboards',
  validateSearch: searchOf('all'),
  component: lazyRouteComponent(() => import('../pages/dashboards/dashboards-page.js'), 'DashboardsPage'),
});
const dashboard = createRoute({
  getParentRoute: () => signedIn,
  path: '/dashboards/$id',
  validateSearch: searchOf('range', 'since', 'until', 'zone', 'widget', 'mark'),
  component: lazyRouteComponent(() => import('../pages/dashboards/dashboard-page.js'), 'DashboardPage'),
});
const instances = createRoute({
  getParentRoute: () => signedIn,
  path: '/instances',
  validateSearch: searchOf('id'),
  component: lazyRouteComponent(() => import('../pages/instances/instances-page.js'), 'InstancesPage'),
});
const settings = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings',
  component: lazyRouteComponent(() => import('../pages/settings/settings-layout.js'), 'SettingsLayout'),
});
const profile = createRoute({
  getParentRoute: () => settings,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/settings/profile-page.js'), 'ProfilePage'),
});
const company = createRoute({
  getParentRoute: () => settings,
  path: '/company',
  component: lazyRouteComponent(() => import('../pages/settings/company-pages.js'), 'CompanyPage'),
});
const sending = createRoute({
  getParentRoute: () => settings,
  path: '/sending',
  component: lazyRouteComponent(() => import('../pages/settings/company-pages.js'), 'SendingPage'),
});
const consent = createRoute({
  getParentRoute: () => settings,
  path: '/consent',
  component: lazyRouteComponent(() => import('../pages/settings/company-pages.js'), 'ConsentPage'),
});
const assistants = createRoute({
  getParentRoute: () => settings,
  path: '/assistants',
  component: lazyRouteComponent(() => import('../pages/settings/company-pages.js'), 'AssistantsPage'),
});
const users = createRoute({
  getParentRoute: () => settings,
  path: '/users',
  validateSearch: searchOf('q'),
  component: lazyRouteComponent(() => import('../pages/settings/users-page.js'), 'UsersPage'),
});
const keys = createRoute({
  getParentRoute: () => settings,
  path: '/keys',
  component: lazyRouteComponent(() => import('../pages/settings/keys-page.js'), 'KeysPage'),
});
const webhooks = createRoute({
  getParentRoute: () => settings,
  path: '/webhooks',
  validateSearch: searchOf('id', 'state'),
  component: lazyRouteComponent(() => import('../pages/settings/webhooks-page.js'), 'WebhooksPage'),
});
const sources = createRoute({
  getParentRoute: () => settings,
  path: '/sources',
  component: lazyRouteComponent(() => import('../pages/settings/sources-page.js'), 'SourcesPage'),
});
const audit = createRoute({
  getParentRoute: () => settings,
  path: '/audit',
  validateSearch: searchOf('action', 'actor', 'target', 'since', 'until'),
  component: lazyRouteComponent(() => import('../pages/settings/audit-page.js'), 'AuditPage'),
});
const calls = createRoute({
  getParentRoute: () => signedIn,
  path: '/calls',
  validateSearch: searchOf('id', 'q', 'outcome', 'reported', 'kind', 'instance', 'route', 'since', 'until'),
  component: lazyRouteComponent(() => import('../pages/calls/calls-page.js'), 'CallsPage'),
});
const docs = createRoute({
  getParentRoute: () => signedIn,
  path: '/docs',
  validateSearch: searchOf('q'),
  component: lazyRouteComponent(() => import('../pages/docs/docs-page.js'), 'DocsPage'),
});
const guide = createRoute({
  getParentRoute: () => signedIn,
  path: '/docs/$page',
  validateSearch: searchOf('q'),
  component: lazyRouteComponent(() => import('../pages/docs/docs-page.js'), 'DocsPage'),
});
const nowhere = createRoute({ getParentRoute: () => signedIn, path: '$', component: NotFound });

const tree = root.addChildren([
  signIn,
  callback,
  signInLink,
  signedIn.addChildren([
    home,
    inbox.addChildren([conversation]),
    leads,
    lead,
    bulk,
    templates,
    dashboards,
    dashboard,
    instances,
    settings.addChildren([profile, company, sending, consent, assistants, users, keys, webhooks, sources, audit]),
    calls,
    docs,
    guide,
    nowhere,
  ]),
]);

export const router = createRouter({
  routeTree: tree,
  defaultPreload: 'intent',
  defaultPendingMinMs: 0,
  // Every search parameter is a text without quotes, even if it looks like a number.
  parseSearch: parseSearchWith((value) => value),
  stringifySearch: stringifySearchWith(JSON.stringify),
});

// The session may end elsewhere in the console. The router then keeps the address, so that the user returns to it.
sessionState.subscribe(() => void router.invalidate());

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
