// The icons: own drawings of 16 by 16, in the colour of the text around them. They say nothing that the text
// beside them does not, so they are hidden from screen readers.

const icon = (path: string) => () => (
  <svg
    width="16"
    height="16"
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden
  >
    <path d={path} />
  </svg>
)

export const MenuIcon = icon('M2 4h12M2 8h12M2 12h12')
export const CloseIcon = icon('M3.5 3.5l9 9M12.5 3.5l-9 9')
export const PlusIcon = icon('M8 3v10M3 8h10')
export const DownIcon = icon('M4 6l4 4 4-4')
export const ArrowIcon = icon('M2.5 8h11M9.5 4l4 4-4 4')
export const UpIcon = icon('M8 13V3M4 7l4-4 4 4')
export const DownArrowIcon = icon('M8 3v10M4 9l4 4 4-4')
export const ExchangeIcon = icon('M11 2l3 3-3 3M14 5H3M5 14l-3-3 3-3M2 11h11')
export const WarningIcon = icon('M8 2.5l6 11H2zM8 6.5v3M8 11.5v.1')
export const CalendarIcon = icon('M2.5 4h11v9.5h-11zM2.5 7h11M5.5 2.5V4M10.5 2.5V4')
export const CopyIcon = icon('M5.5 5.5h8v8h-8zM3.5 10.5h-1v-8h8v1')
export const TickIcon = icon('M3 8.5l3.5 3.5L13 4.5')
