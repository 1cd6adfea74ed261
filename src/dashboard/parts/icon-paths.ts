/** SVG paths of the icons, in a box of 24 by 24. */
export const paths = {
  overview: 'M3 13h5l2-6 4 11 2.5-7H21',
  calls:
    'M6 4h3l1.5 4.5L8.500 10a11 11 0 0 0 5.500 5.500l1.500-2L20 15v3a2 2 0 0 1-2 2A14 14 0 0 1 4 6a2 2 0 0 1 2-2Z',
  contacts: 'M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8ZM5 20v-1a7 7 0 0 1 14 0v1',
  personas: 'M5 5h14v11h-7l-4 4v-4H5Zm4 4v1m6-1v1m-5 3h4',
  trunks: 'M4 7h6m4 0h6M4 17h6m4 0h6M12 4v6m0 4v6',
  porting: 'M4 8h12m-4-4 4 4-4 4M20 16H8m4-4-4 4 4 4',
  knowledge: 'M5 6a3 3 0 0 1 3-3h11v15H8a3 3 0 0 0-3 3Zm0 12.500A2.500 2.500 0 0 0 7.500 21H19M9 8h6m-6 4h6',
  alerts: 'M6 16v-5a6 6 0 1 1 12 0v5l1.500 2h-15Zm4 4.500h4',
  setup: 'M4 7h9m5 0h2M4 17h2m5 0h9M15.500 4.500v5M8.500 14.500v5',
  pathways:
    'M6 4a2 2 0 1 1 0 4 2 2 0 0 1 0-4Zm0 4v8m0 0a2 2 0 1 1 0 4 2 2 0 0 1 0-4Zm0-4h6a4 4 0 0 0 4-4m2-4a2 2 0 1 1 0 4 2 2 0 0 1 0-4Z',
  testing:
    'M9 3h6m-5 0v6L5 18.500A1.700 1.700 0 0 0 6.500 21h11a1.700 1.700 0 0 0 1.500-2.500L14 9V3M7.500 15h9',
  menu: 'M4 7h16M4 12h16M4 17h16',
  copy: 'M9 9h10v11H9ZM5 15V4h10',
  done: 'm5 12.500 4.500 4.500L19 7',
  download: 'M12 4v11m-4.500-4L12 15.500 16.500 11M5 20h14',
  sun: 'M12 4V2m0 20v-2m8-8h2M2 12h2m13.700-5.700 1.400-1.400M4.900 19.100l1.400-1.400m0-11.400L4.900 4.900m14.200 14.200-1.400-1.400M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8Z',
  moon: 'M20 14.500A8.500 8.500 0 0 1 9.500 4a8.500 8.500 0 1 0 10.500 10.500Z',
  auto: 'M12 3a9 9 0 1 0 0 18Zm0 0a9 9 0 0 1 0 18',
  leave: 'M14 4h5v16h-5M10 8l-4 4 4 4m-4-4h9',
  back: 'm14 6-6 6 6 6',
  inbound: 'M18 6 7 17m0-8v8h8',
  outbound: 'M6 18 17 7m0 8V7H9',
  search: 'M10.500 4a6.500 6.500 0 1 1 0 13 6.500 6.500 0 0 1 0-13ZM15.500 15.500 20 20',
  refresh: 'M19 12a7 7 0 1 1-2-5m2-3v4h-4',
} as const;

export type IconName = keyof typeof paths;
