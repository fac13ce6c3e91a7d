/** The English catalogue: the screens' texts by file. */
export default import.meta.glob<object>('./en/*.json', { eager: true, import: 'default' })
