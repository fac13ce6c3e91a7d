import './phone-number.css'

/** Grouped five and five for the eye only: the text stays the ten digits that were typed. */
export function PhoneNumber({ phone }: { phone: string }) {
  return (
    <span className="phone-number">
      <span>{phone.slice(0, 5)}</span>
      {phone.slice(5)}
    </span>
  )
}
