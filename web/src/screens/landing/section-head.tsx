export function SectionHead({ title, lead }: { title: string; lead: string }) {
  return (
    <div className="ld-section-head">
      <h2>{title}</h2>
      <p>{lead}</p>
    </div>
  )
}
