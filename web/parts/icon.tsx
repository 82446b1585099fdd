/** SVG paths of strokes on a 24 px grid, in `currentColor`. */
const shapes = {
  today: 'M4 10.5 12 4l8 6.5V19a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 19zM9.5 20.5v-6h5v6',
  history: 'M4 5v4.5h4.5M4.4 9.5A8.2 8.2 0 1 1 3.8 13M12 8v4.5l3 1.8',
  blocker: 'M8.3 3.5h7.4l4.8 4.8v7.4l-4.8 4.8H8.3l-4.8-4.8V8.3zM8 12h8',
  calendar: 'M4 5.5h16V20H4zM4 10h16M8.5 3.5v4M15.5 3.5v4',
  people:
    'M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.8 19.5c.5-3.2 3-5 6.2-5s5.7 1.8 6.2 5M15.5 4.8a3.5 3.5 0 0 1 0 6.4M17.8 15c1.9.7 3.1 2.3 3.4 4.5',
  write: 'M4 20l.9-4.2L15.6 5.1a2.1 2.1 0 0 1 3 0l.3.3a2.1 2.1 0 0 1 0 3L8.2 19.1zM13.8 6.9l3.3 3.3',
  check: 'M5 12.5 10 17.5 19.5 7',
  clock: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM12 7.5V12l3 2',
  circle: 'M12 19a7 7 0 1 0 0-14 7 7 0 0 0 0 14z',
  moon: 'M19.8 14.3A8.2 8.2 0 0 1 9.7 4.2a8.2 8.2 0 1 0 10.1 10.1z',
  star: 'M12 3.5l2.1 6.4 6.4 2.1-6.4 2.1L12 20.5l-2.1-6.4L3.5 12l6.4-2.1z',
  cross: 'M6.5 6.5l11 11M17.5 6.5l-11 11',
  dash: 'M6 12h12',
  warning:
    'M10.7 4.7 3.2 17.8a1.5 1.5 0 0 0 1.3 2.2h15a1.5 1.5 0 0 0 1.3-2.2L13.3 4.7a1.5 1.5 0 0 0-2.6 0zM12 9.5v4M12 16.6v.1',
  alert: 'M12 5.5v8M12 18v.1',
  inbox: 'M4 13.5 6 5h12l2 8.5V19H4zM4 13.5h5l1 2.5h4l1-2.5h5',
  mail: 'M3.5 6h17v12h-17zM4 7l8 6 8-6',
  menu: 'M4 7h16M4 12h16M4 17h16',
  search: 'M10.8 17.5a6.7 6.7 0 1 0 0-13.4 6.7 6.7 0 0 0 0 13.4zM15.7 15.7l4.5 4.5',
  more: 'M5.5 12v.1M12 12v.1M18.5 12v.1',
  plus: 'M12 5v14M5 12h14',
  'arrow-left': 'M19.5 12h-15M10.5 6l-6 6 6 6',
  'arrow-right': 'M4.5 12h15M13.5 6l6 6-6 6',
  'chevron-up': 'M6.5 14.5l5.5-5.5 5.5 5.5',
  'chevron-down': 'M6.5 9.5l5.5 5.5 5.5-5.5',
  'chevron-left': 'M14.5 6.5 9 12l5.5 5.5',
  'chevron-right': 'M9.5 6.5 15 12l-5.5 5.5',
  external: 'M13.5 4.5h6v6M19.5 4.5l-8 8M17.5 14v5.5h-13v-13H10',
  copy: 'M8.5 8.5H20V20H8.5zM5.5 15.5H4V4h11.5v1.5',
  download: 'M12 4v11M7 10.5l5 5 5-5M4.5 20h15',
  keyboard: 'M3 6h18v12H3zM7 10v.1M10.3 10v.1M13.7 10v.1M17 10v.1M8 14h8',
  request: 'M8.5 7 3.5 12l5 5M15.5 7l5 5-5 5M13.5 5l-3 14',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4',
  'sign-out': 'M14 4.5H4.5v15H14M8 12h12.5M16.5 8l4 4-4 4',
  chart: 'M5 19.5v-7M12 19.5v-15M19 19.5V9',
  key: 'M8 16.5a4.5 4.5 0 1 1 4.2-6.1h8.3v3.4h-2.4v2.6h-3.2v-2.6h-2.7A4.5 4.5 0 0 1 8 16.5zM8 12v.1',
  webhook: 'M3.5 12h5M8.5 7.5v9a4.5 4.5 0 0 0 0-9zM13 12h7.5M17 8.5l3.5 3.5-3.5 3.5',
  event: 'M4.5 6.5h2M4.5 12h2M4.5 17.5h2M10 6.5h9.5M10 12h9.5M10 17.5h9.5',
  settings: 'M4 7.5h9M17 7.5h3M15 5.5v4M4 16.5h3M11 16.5h9M9 14.5v4',
  filter: 'M4 6.5h16M7 12h10M10 17.5h4',
  link: 'M10.3 13.7a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.7l-1.2 1.2M13.7 10.3a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1.2-1.2',
  trash: 'M4.5 7h15M9.5 7V4h5v3M6.5 7l.8 13h9.4l.8-13M10.3 11v5.5M13.7 11v5.5',
  device: 'M4 5h16v11H4zM2.5 19.5h19',
} as const;

export type IconName = keyof typeof shapes;

/** Icons that are mirrored on right-to-left pages. */
const mirrored: readonly IconName[] = [
  'arrow-left',
  'arrow-right',
  'chevron-left',
  'chevron-right',
  'external',
  'sign-out',
];

/** An icon beside text, or in a labelled button: screen readers skip it. */
export function Icon({name, size = 20}: {readonly name: IconName; readonly size?: 16 | 20 | 24 | undefined}) {
  return (
    <svg
      aria-hidden="true"
      className="inline-block flex-none fill-none stroke-current align-[-0.28em] data-turns:rtl:-scale-x-100"
      data-turns={mirrored.includes(name) || undefined}
      height={size}
      strokeLinecap="round"
      strokeLinejoin="round"
      viewBox="0 0 24 24"
      width={size}
    >
      <path d={shapes[name]} strokeWidth={dots.includes(name) ? 2.5 : size === 16 ? 2.1 : 1.75} />
    </svg>
  );
}

const dots: readonly IconName[] = ['more', 'alert'];
