let soundsLike: ((typed: string, word: string) => boolean) | undefined

/** Loads the search across scripts, which no first view needs. Until then words are found by their letters only. */
export async function loadSounds(): Promise<void> {
  ;({ soundsLike } = await import('@/skeleton'))
}

void loadSounds()

/** Whether a typed word occurs in a text, or sounds like one of its words. Both are in lower case. */
export const findsWord = (typed: string, text: string) =>
  text.includes(typed) || text.split(/\s+/).some((word) => soundsLike?.(typed, word))
