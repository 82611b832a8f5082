// The small picture of a file that is about to be sent. A file of an earlier page, or one that is no picture, has an icon.

import { useStore } from '../../app/store.js';
import { Icon } from '../../parts/icon.js';
import styles from './composer.module.css';
import { pictures } from './uploads.js';

export function FileFace({ id, size = 18 }: { id: string; size?: number }) {
  const url = useStore(pictures).get(id);
  if (url === undefined) return <Icon name="file" size={size} />;
  return <img className={styles.face} src={url} alt="" />;
}
