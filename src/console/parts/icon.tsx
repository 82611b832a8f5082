// Icons drawn as strokes in the colour of their text.

const paths = {
  inbox: 'M3 13h5l2 3h4l2-3h5M5 5h14l2 8v6H3v-6z',
  people: 'M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm-7 9a7 7 0 0 1 14 0M16 3.5a4 4 0 0 1 0 7M18 14a7 7 0 0 1 4 6',
  megaphone: 'M4 10v4l3 .5V20h3v-5l9 4V5L7 9.500 4 10z',
  template: 'M4 4h16v6H4zM4 14h7v6H4zM15 14h5M15 17h5M15 20h5',
  chart: 'M4 20V4M4 20h16M8 16v-5M12 16V7M16 16v-8',
  phone: 'M7 2h10v20H7zM11 18.500h2',
  call: 'M6 3h3l2 5-2.500 1.500a11 11 0 0 0 6 6L16 13l5 2v3a3 3 0 0 1-3 3A15 15 0 0 1 3 6a3 3 0 0 1 3-3z',
  video: 'M3 6h12v12H3zM15 10l6-3v10l-6-3',
  calls: 'M4 7h13l-3-3M20 17H7l3 3',
  settings:
    'M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM12 2v3M12 19v3M4.900 4.900l2.100 2.100M17 17l2.100 2.100M2 12h3M19 12h3M4.900 19.100 7 17M17 7l2.100-2.100',
  book: 'M4 4h7a2 2 0 0 1 2 2v14a2 2 0 0 0-2-2H4zM20 4h-5a2 2 0 0 0-2 2v14a2 2 0 0 1 2-2h5z',
  'sign-out': 'M14 4h5v16h-5M10 8l-4 4 4 4M6 12h9',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5',
  close: 'M6 6l12 12M18 6L6 18',
  plus: 'M12 5v14M5 12h14',
  send: 'M4 12 20 4l-5 16-3-7z',
  attach: 'M20 11l-8.500 8.500a5 5 0 0 1-7-7L13 4a3.500 3.500 0 0 1 5 5l-8.500 8.500a2 2 0 0 1-3-3L14 7',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 3',
  check: 'M5 13l4 4L19 7',
  checks: 'M2 13l4 4L15 7M11 16l1 1L22 7',
  back: 'M15 5l-7 7 7 7',
  next: 'M9 5l7 7-7 7',
  down: 'M5 9l7 7 7-7',
  more: 'M5 12h.010M12 12h.010M19 12h.010',
  reply: 'M10 6l-6 6 6 6M4 12h10a6 6 0 0 1 6 6v1',
  smile: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM8.500 14a4 4 0 0 0 7 0M9 9.500h.010M15 9.500h.010',
  file: 'M6 2h8l5 5v15H6zM14 2v5h5',
  image: 'M4 4h16v16H4zM4 16l5-5 4 4 3-3 4 4M9 9h.010',
  warning: 'M12 3l10 18H2zM12 10v5M12 18h.010',
  edit: 'M4 20h4L20 8l-4-4L4 16z',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 14h10l1-14',
  download: 'M12 3v12M7 10l5 5 5-5M4 20h16',
  upload: 'M12 15V3M7 8l5-5 5 5M4 20h16',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21a8 8 0 0 1 16 0',
  tag: 'M3 3h8l10 10-8 8L3 11zM7.500 7.500h.010',
  moon: 'M20 14A8 8 0 0 1 10 4a8 8 0 1 0 10 10z',
  refresh: 'M20 12a8 8 0 1 1-2.500-5.800M20 3v5h-5',
  bell: 'M6 17h12l-1.500-2.500V10a4.500 4.500 0 0 0-9 0v4.500zM10 20h4',
  link: 'M9 15l6-6M11 6l2-2a5 5 0 0 1 7 7l-2 2M13 18l-2 2a5 5 0 0 1-7-7l2-2',
  merge: 'M6 3v5c0 5 6 4 6 9v4M18 3v5c0 5-6 4-6 9',
  snooze: 'M12 21a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM9.500 10h5l-5 6h5M4 6l3-3M20 6l-3-3',
  eye: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7-10-7-10-7zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  note: 'M5 3h14v12l-6 6H5zM13 21v-6h6M9 8h6M9 12h4',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
      focusable={false}
    >
      <path d={paths[name]} />
    </svg>
  );
}
