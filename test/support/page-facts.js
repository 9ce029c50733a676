// Runs in the browser: what the accessibility checks of sign-in-browser.test.ts need to know of a page.

;(() => {
  const all = selector => [...document.querySelectorAll(selector)]
  const inputs = all('input:not([type=hidden])')
  const hasOwnText = element =>
    [...element.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== '')
  const isClear = element => /, 0\)$|transparent/.test(getComputedStyle(element).backgroundColor)

  function groundOf(element) {
    let behind = element
    while (behind.parentElement !== null && isClear(behind)) behind = behind.parentElement
    return getComputedStyle(behind).backgroundColor
  }

  return {
    texts: all('body *')
      .filter(hasOwnText)
      .map(element => ({
        text: element.textContent.trim().slice(0, 40),
        colour: getComputedStyle(element).color,
        ground: groundOf(element),
      })),
    language: document.documentElement.lang,
    mains: all('main').length,
    headings: all('h1, h2')
      .map(heading => heading.tagName)
      .join(' '),
    unlabelled: inputs.filter(input => input.labels.length === 0).length,
    autocomplete: inputs.map(input => input.getAttribute('autocomplete')),
    ids: all('[id]').map(element => element.id),
    described: all('[aria-describedby], [aria-labelledby]').flatMap(element =>
      ['aria-describedby', 'aria-labelledby']
        .map(name => element.getAttribute(name))
        .filter(id => id !== null),
    ),
    small: [...all('button'), ...inputs].filter(element => element.getBoundingClientRect().height < 44)
      .length,
    beyond: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  }
})()
