// The reader's theme: that of the system, light or dark, kept in this browser.

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const key = 'waybill-theme'

/** The chosen theme. */
export const chosenTheme = (): Theme => themes.find(theme => theme === localStorage.getItem(key)) ?? 'system'

/** Shows the page in this theme, and remembers it. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(key, theme)
  showTheme(theme)
}

/** Shows the page in this theme. */
export function showTheme(theme: Theme): void {
  const { classList } = document.documentElement
  classList.remove(...themes)
  if (theme !== 'system') classList.add(theme)
}
