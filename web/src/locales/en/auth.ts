export const auth = {
  name: 'Full Name',
  email: 'Email',
  password: 'Password',
  role: 'Role',
  roles: {
    reception: 'Reception',
    pa: 'PA (Personal Assistant)',
    consultant: 'Consultant',
    admin: 'Admin',
  },
  signIn: 'Sign In',
  busy: 'Loading...',
  emailPlaceholder: 'Enter your email',
  passwordPlaceholder: 'Enter your password',
  emailRequired: 'Email is required',
  emailInvalid: 'Please enter a valid email address',
  passwordRequired: 'Password is required',
  passwordShort: 'Password must be at least 6 characters',
  passwordHint: 'At least 6 characters, and not easy to guess',
  signedIn: 'Logged in successfully',
  signInFailed: 'Login failed',
  unknownSignInError: 'Unknown Login Error',
  registered: 'Account created successfully',
  accountFailed: 'Failed to create account',
  registrationFailed: 'Registration failed',
  roleFailed: 'Error updating user role',
  unknownRegisterError: 'Unknown Register Error',
  unanswered: 'HTTP {status}: {message}',
  verifying: 'Verifying your session',
  errorTitle: 'Authentication Error',
  errorText: 'We could not check your session. Nothing is lost. Try again in a moment.',
  retry: 'Retry',
  verifyFailed: 'Failed to verify authentication. Please try again.',
  notAuthenticated: 'You are not authenticated. Please login to continue.',
  notPermitted: 'You do not have permission to access this page.',
  inactiveTitle: 'Account Inactive',
  inactiveText: 'Account Inactive: Your account has been deactivated. Please contact your administrator.',
  returnToLogin: 'Return to Login',
  noDashboard: 'No dashboard for this account',
  signOut: 'Sign Out',
  signOutFailed: 'Failed to sign out',
  unauthorized: 'Unauthorized access',
  ticket: {
    kicker: 'Token',
    verifying: { token: 'T-000', line: 'One moment', aside: 'please' },
    error: { token: 'T-503', line: 'The counter', aside: 'did not answer' },
    inactive: { token: 'T-403', line: 'This counter', aside: 'is closed' },
  },
} as const

export const signIn = {
  title: 'Welcome back',
  subtitle: 'Enter your credentials to continue',
  toRegister: "Don't have an account? Sign up",
  toForgotPassword: 'Forgot password?',
  ticketKicker: 'Token',
  ticketLine: 'First of the day',
  ticketAside: '9:00 AM',
} as const

export const register = {
  title: 'Create your account',
  subtitle: 'For the people who work at this office',
  submit: 'Create Account',
  toSignIn: 'Already have an account? Sign in',
} as const

export const forgotPassword = {
  title: 'Forgot your password?',
  subtitle: 'We will email you a link to set a new one',
  submit: 'Send Link',
  sent: 'If {email} has an account, we have sent a link. It works for one hour.',
  failed: 'Failed to send the link',
  toSignIn: 'Back to sign in',
} as const

export const resetPassword = {
  title: 'New password',
  subtitle: 'Choose a new password for your account',
  password: 'New password',
  submit: 'Set Password',
  done: 'Password set. Please sign in.',
  failed: 'Failed to set the password',
  ended: 'This link has expired',
  endedText: 'It was already used, or it is too old.',
  another: 'Request a new link',
} as const

export const stopEmailChange = {
  title: 'Stop the change of your email?',
  subtitle: 'Your address stays the one that got this link.',
  effects:
    'All your devices are signed out, your password stops working, and we send you a link that sets a new one.',
  submit: 'Stop the Change',
  failed: 'Failed to stop the change',
  stopped: 'The change is stopped',
  stoppedText: 'Your address stays as it was, and all your devices are signed out.',
  reverted: 'Your address is back',
  revertedText: 'The change is undone, and all your devices are signed out.',
  next: 'Open the link that we sent to your address and set a new password.',
  ended: 'This link has expired',
  endedText:
    'It was already used, or the 72 hours are over. Ask an administrator if the change was not yours.',
  toSignIn: 'Back to sign in',
} as const
