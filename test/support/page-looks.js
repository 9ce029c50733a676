// Runs in a page: where everything that can be read or used stands, and in which colours. Times and the
// organisation's code differ from run to run, so they are written over first, which also keeps the widths of
// columns. What has letters of equal width gets the portal's own font, because the machine's would decide how
// wide it is.

;(() => {
  document.documentElement.style.setProperty('--mono', 'var(--font)')
  const months = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec'
  const day = new RegExp(`(\\w+ )?\\d{1,2} (${months})\\w*( \\d{4})?(, \\d\\d:\\d\\d)?`, 'g')
  const code = /\bT[A-Z]{2}\b/g
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
    node.data = node.data.replace(day, '1 Jan').replace(code, 'TAA')

  const hex = colour => {
    const [r = 0, g = 0, b = 0, a = 1] = colour.match(/[\d.]+/g)?.map(Number) ?? []
    return a === 0 ? '' : `#${[r, g, b].map(n => Math.round(n).toString(16).padStart(2, '0')).join('')}`
  }
  /** The colour behind an element: that of the nearest one that has any. */
  const behind = element =>
    element === null
      ? '#ffffff'
      : hex(getComputedStyle(element).backgroundColor) || behind(element.parentElement)
  const ownText = element =>
    [...element.childNodes]
      .filter(node => node.nodeType === Node.TEXT_NODE)
      .map(node => node.data.trim())
      .filter(Boolean)
      .join(' ')
  const isControl = element => /^(BUTTON|INPUT|SELECT|TEXTAREA|SVG|svg)$/.test(element.tagName)

  return [...document.body.querySelectorAll('*')].flatMap(element => {
    if (element.closest('svg') !== null && element.tagName !== 'svg') return []
    const text = ownText(element)
    if (text === '' && !isControl(element)) return []
    const { x, y, width, height } = element.getBoundingClientRect()
    const { color, visibility, clipPath } = getComputedStyle(element)
    if (width === 0 || height === 0 || visibility === 'hidden' || clipPath.startsWith('inset(50')) return []
    const name = `${element.tagName.toLowerCase()} ${text.slice(0, 40)}`.trim()
    return [{ name, box: [x, y, width, height].map(Math.round), colours: `${hex(color)} ${behind(element)}` }]
  })
})()
