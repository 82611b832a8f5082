// The name of the dashboard, which opens the others.

import { useNavigate } from '@tanstack/react-router';
import { askAgain } from '../../api/client.js';
import { useLoaded } from '../../api/use-loaded.js';
import { useTexts } from '../../i18n/language.js';
import { Icon } from '../../parts/icon.js';
import { Menu, MenuDivider, MenuItem } from '../../parts/menu.js';
import styles from './dashboards.module.css';
import { DashboardListDocument } from './operations.js';
import { dashboardTexts } from './texts.js';

/** More are found on the page of all dashboards. */
const mostNames = 20;

export function DashboardMenu({ id, name }: { id: string; name: string }) {
  const texts = useTexts(dashboardTexts);
  const navigate = useNavigate();
  const { data: others = [] } = useLoaded(`dashboards beside ${id}`, async () => {
    const { dashboards } = await askAgain(DashboardListDocument, { first: mostNames });
    return dashboards.edges.map(({ node }) => node).filter((node) => node.id !== id);
  });
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className={styles.name}>
          <span dir="auto">{name}</span>
          <Icon name="down" />
        </button>
      }
    >
      {others.map((other) => (
        <MenuItem key={other.id} onChoose={() => void navigate({ to: '/dashboards/$id', params: { id: other.id } })}>
          <span dir="auto">{other.name}</span>
        </MenuItem>
      ))}
      {others.length > 0 && <MenuDivider />}
      <MenuItem onChoose={() => void navigate({ to: '/dashboards', search: { all: 'true' } })}>
        {texts.allDashboards}
      </MenuItem>
    </Menu>
  );
}
