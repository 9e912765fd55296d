/** How many rows of one kind the page is given; of more the first ones. */
export const mostRows = 500;
