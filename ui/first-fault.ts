// When what was sent is refused, the focus goes to the first field that is to be corrected. Screen readers
// then read why, and on a long form it comes into sight.

/** Watches the forms of the page from now on. Returns the function that ends it. */
export function showFirstFault(): () => void {
  let watched: MutationObserver | undefined
  const stop = () => watched?.disconnect()
  const watch = (form: Element | null | undefined) => {
    stop()
    if (!form) return
    watched = new MutationObserver(() => {
      const field = form.querySelector<HTMLElement>('[aria-invalid=true]')
      if (field === null) return
      stop()
      field.focus()
    })
    watched.observe(form, { subtree: true, attributeFilter: ['aria-invalid'] })
  }
  const onSend = ({ target }: Event) => {
    if (target instanceof Element) watch(target.closest('button, form')?.closest('form'))
  }
  // Whoever goes on typing, or does something else, is not taken away from it.
  const ends = ['keydown', 'pointerdown', 'input'] as const
  const sends = ['submit', 'click'] as const
  for (const type of ends) addEventListener(type, stop, true)
  for (const type of sends) addEventListener(type, onSend, true)
  return () => {
    stop()
    for (const type of ends) removeEventListener(type, stop, true)
    for (const type of sends) removeEventListener(type, onSend, true)
  }
}
