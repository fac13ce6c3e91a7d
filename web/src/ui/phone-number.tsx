import './phone-number.css'

/** Grouped five and five visually: the text remains the ten digits. */
export function PhoneNumber({ phone }: { phone: string }) {
  return (
    <span className="phone-number">
      <span>{phone.slice(0, 5)}</span>
      {phone.slice(5)}
    </span>
  )
}
