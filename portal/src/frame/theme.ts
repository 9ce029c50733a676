// The reader's theme and density, kept in this browser.

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

export const densities = ['normal', 'dense', 'roomy'] as const
/** How high rows are. */
export type Density = (typeof densities)[number]

const densityKey = 'waybill-density'

/** The chosen density. */
export const chosenDensity = (): Density =>
  densities.find(density => density === localStorage.getItem(densityKey)) ?? 'normal'

/** Shows the page with this density, and remembers it. */
export function chooseDensity(density: Density): void {
  localStorage.setItem(densityKey, density)
  showDensity(density)
}

/** Shows the page with this density. */
export function showDensity(density: Density): void {
  const { classList } = document.documentElement
  classList.remove(...densities)
  if (density !== 'normal') classList.add(density)
}
