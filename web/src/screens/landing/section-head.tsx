/** The title of a part of the page, with its sentence on the facing side. */
export function SectionHead({ title, lead }: { title: string; lead: string }) {
  return (
    <div className="ld-section-head">
      <h2>{title}</h2>
      <p>{lead}</p>
    </div>
  )
}
