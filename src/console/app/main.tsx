// The console's entry.

import './fonts.css';
import './tokens.css';
import './theme.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { applyTheme } from './theme.js';
import { router } from './router.js';
import '../live/kept-reading.js';

applyTheme();
const root = document.querySelector('#root');
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <RouterProvider router={router} />
      </CSPProvider>
    </StrictMode>,
  );

// The first page comes before the work that keeps the console for later.
addEventListener('load', () => void import('./installed-build.js').then(({ followBuild }) => followBuild()));
